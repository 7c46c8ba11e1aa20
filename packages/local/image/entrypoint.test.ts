import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { AS_SLURM, Stage } from './gen.ts'

const others: readonly {
  name: string
  args: readonly string[]
  env?: Readonly<Record<string, string>>
  calls: readonly (readonly string[])[]
}[] = [
  {
    name: 'slurmctld ignores its options, or quotes reach it',
    args: ['slurmctld', '-f', '"/etc/$NAME.conf"'],
    env: { SLURMCTLD_OPTIONS: "-L 'a b'", NAME: 'slurm' },
    calls: [['slurmctld', '-D', '-L', 'a b', '-f', '/etc/slurm.conf']],
  },
  {
    name: 'slurmdbd has its arguments read by a shell',
    args: ['slurmdbd', '-v', '$HOME "x'],
    calls: [['slurmdbd', '-D', '-v', '$HOME "x']],
  },
  { name: 'slurmrestd listens nowhere', args: ['slurmrestd'], calls: [['slurmrestd', '0.0.0.0:6820']] },
  {
    name: 'slurmrestd listens at its default too',
    args: ['slurmrestd', '-v', '[::]:80'],
    calls: [['slurmrestd', '-v', '[::]:80']],
  },
  {
    name: 'sackd runs as root',
    args: ['sackd', '-v'],
    env: { SACKD_OPTIONS: '--conf-server "c 1"' },
    calls: [['chown', 'slurm:slurm', '/run/slurm'], AS_SLURM, ['sackd', '-D', '--conf-server', 'c 1', '-v']],
  },
  {
    name: 'sackd changes its user though it is none to change',
    args: ['sackd'],
    env: { FAKE_UID: '401' },
    calls: [['sackd', '-D']],
  },
]

describe('the other daemons', () => {
  for (const { name, args, env, calls } of others) {
    test(name, async () => {
      expect(await new Stage().run(args, env)).toMatchObject({ code: 0, calls })
    })
  }
})

const mistakes: readonly {
  name: string
  args: readonly string[]
  env?: Readonly<Record<string, string>>
  code: number
  says: RegExp
}[] = [
  {
    name: 'an unknown role',
    args: ['slurmx'],
    code: 64,
    says: /Cannot start 'slurmx': no such role\. Use slurmctld, /,
  },
  { name: 'no role at all', args: [], code: 64, says: /Cannot start '': no such role/ },
  { name: 'a function of the shell as a role', args: ['together'], code: 64, says: /no such role/ },
  {
    name: 'an open quote',
    args: ['slurmd', `-N 'x`],
    code: 64,
    says: /Cannot read the arguments: quotes do not match/,
  },
  {
    name: 'a second command in the arguments',
    args: ['slurmctld', '-v; touch $ENTRYPOINT_ROOT/injected'],
    code: 64,
    says: /Quote it/,
  },
  {
    name: '--conf without a value',
    args: ['slurmd', '--conf'],
    code: 64,
    says: /Cannot use --conf: nothing follows it/,
  },
  {
    name: 'POD_CPUS in words',
    args: ['slurmd'],
    env: { POD_CPUS: 'two' },
    code: 64,
    says: /Cannot use POD_CPUS='two': not a number of CPUs/,
  },
  {
    name: 'POD_MEMORY with a unit',
    args: ['slurmd'],
    env: { POD_MEMORY: '2Gi' },
    code: 64,
    says: /POD_MEMORY='2Gi': not a whole number/,
  },
  {
    name: 'a slurmd -C without CPUs',
    args: ['slurmd'],
    env: { POD_CPUS: '2', FACTS: 'slurmd: error' },
    code: 69,
    says: /does not tell CPUs/,
  },
  {
    name: 'a slurmd -C without memory',
    args: ['slurmd'],
    env: { POD_MEMORY: '2', FACTS: '' },
    code: 69,
    says: /does not tell RealMemory/,
  },
]

describe('a mistake ends the container with words, and starts nothing', () => {
  for (const { name, args, env, code, says } of mistakes) {
    test(name, async () => {
      const stage = new Stage()
      const outcome = await stage.run(args, env)
      expect(outcome.code).toBe(code)
      expect(outcome.stderr).toMatch(says)
      expect(outcome.calls.filter((call) => call[1] !== '-C')).toEqual([])
      expect(existsSync(join(stage.root, 'injected'))).toBe(false)
    })
  }

  test('a folder that cannot be made', async () => {
    const stage = new Stage()
    stage.write('run', 'a file')
    const { code, stderr } = await stage.run(['slurmctld'], { FAKE_UID: '401' })
    expect(code).toBe(69)
    expect(stderr).toContain(
      'Cannot create /run/slurmctld: user 401 may not write there, or it is full. Mount a writable volume',
    )
  })
})
