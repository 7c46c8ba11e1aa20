import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** A folder for the tests of a file, removed with all that is in it when they are done. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'slurm-operator-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
