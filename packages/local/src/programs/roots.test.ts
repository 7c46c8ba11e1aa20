import { expect, test } from 'vitest'
import { folderOf } from '../cache/cache.ts'
import { slurmRoot, slurmRootOf } from './roots.ts'
import { OLD_SLURM_SUITE, SLURM_RELEASE } from './versions.ts'

test('two releases of Slurm lie in one place of the cache', () => {
  expect(slurmRootOf(SLURM_RELEASE)).toBe(slurmRoot)
  expect(folderOf(slurmRootOf('24.11'))).not.toBe(folderOf(slurmRoot))
  expect(slurmRootOf('24.11').madeFrom).toContain(OLD_SLURM_SUITE)
})
