import { describe, expect, test } from 'vitest'
import { releaseIn, speaksHttp, userIdIn } from './slurm-root.ts'

const passwd = 'root:x:0:0:root:/root:/bin/sh\nnotslurm:x:7:7::/:/bin/false\nslurm:x:401:402::/:/bin/false\n'

describe('reading a root prevents that', () => {
  test('a release is misread', () => {
    expect(releaseIn('slurm 26.05.5\n')).toBe('26.05')
    expect(releaseIn('slurm-wlm 24.11.5\n')).toBe('24.11')
    expect(() => releaseIn('slurmctld: not found\n')).toThrow('Cannot tell which Slurm this is')
  })

  test('a user is taken for another, or for root when missing', () => {
    expect(userIdIn(passwd, 'slurm')).toBe(401)
    expect(() => userIdIn(passwd, 'mysql')).toThrow('it has no user mysql')
  })

  test('an old daemon is asked by HTTP, or a new one is not', () => {
    expect(['24.11', '25.05', '25.11', '26.05'].map((release) => speaksHttp({ release }))).toEqual([
      false,
      false,
      true,
      true,
    ])
  })
})
