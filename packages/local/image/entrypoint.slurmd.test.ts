import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { FACTS, Stage } from './gen.ts'

const ONE_THREAD = FACTS.replace('CPUs=16', 'CPUs=8').replace('ThreadsPerCore=2', 'ThreadsPerCore=1')

interface Case {
  readonly name: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly argv: readonly string[]
}

/** What the operator writes: one argument with shell quotes in it. */
const operatorArgs = [
  '-Z',
  '--conf-server',
  'c:6817',
  '--conf',
  `'Features=cpu Topology='"$SLINKY_TOPOLOGY"' Weight=10'`,
]

const slurmd: readonly Case[] = [
  { name: 'a worker without arguments gets some', argv: [] },
  {
    name: 'an empty Topology= of the operator reaches Slurm, which refuses it',
    args: operatorArgs,
    argv: ['-Z', '--conf-server', 'c:6817', '--conf', 'Features=cpu Weight=10'],
  },
  {
    name: 'the topology of the annotation is not filled in',
    args: operatorArgs,
    env: { SLINKY_TOPOLOGY: 'rack:r1,tree:t' },
    argv: ['-Z', '--conf-server', 'c:6817', '--conf', 'Features=cpu Topology=rack:r1,tree:t Weight=10'],
  },
  {
    name: 'the sizes of the pod are lost beside an existing --conf',
    args: operatorArgs,
    env: { POD_CPUS: '4', POD_MEMORY: '2000' },
    argv: ['-Z', '--conf-server', 'c:6817', '--conf', 'Features=cpu Weight=10 CoreSpecCount=6 MemSpecLimit=30000'],
  },
  {
    name: 'a --conf with = is not recognised',
    args: [`--conf='Feature=a b=c'`, '-v'],
    env: { POD_MEMORY: '31999' },
    argv: ['-v', '--conf', 'Feature=a b=c MemSpecLimit=1'],
  },
  { name: 'two --conf, and Slurm reads only one', args: ['--conf=a=1', '--conf', 'b=2'], argv: ['--conf', 'a=1 b=2'] },
  {
    name: 'options of the variable come after the arguments',
    args: ['-v'],
    env: { SLURMD_OPTIONS: '-N "w 1"' },
    argv: ['-N', 'w 1', '-v'],
  },
  {
    name: 'a star becomes the files of the folder',
    args: [`--conf 'Features=*'`, `'*'`],
    argv: ['*', '--conf', 'Features=*'],
  },
  { name: 'an unset variable ends the container', args: ['-N', '"$NOT_SET"', '-v'], argv: ['-N', '', '-v'] },
  { name: 'a comment in a multi-line argument swallows the rest', args: ['-v # loud\n-Z'], argv: ['-v', '-Z'] },
  {
    name: 'threads are taken for cores',
    env: { POD_CPUS: '4', FACTS: ONE_THREAD },
    argv: ['--conf', 'CoreSpecCount=4'],
  },
  { name: 'half a core is given to jobs twice', env: { POD_CPUS: '5' }, argv: ['--conf', 'CoreSpecCount=6'] },
  {
    name: 'less than a core leaves a worker without any',
    env: { POD_CPUS: '0.5' },
    argv: ['--conf', 'CoreSpecCount=7'],
  },
  {
    name: 'milli-CPUs are not understood',
    env: { POD_CPUS: '3500m', FACTS: ONE_THREAD },
    argv: ['--conf', 'CoreSpecCount=5'],
  },
  {
    name: 'fractions are rounded up',
    env: { POD_CPUS: '3.999', FACTS: ONE_THREAD },
    argv: ['--conf', 'CoreSpecCount=5'],
  },
  {
    name: 'leading zeros are read as octal',
    env: { POD_CPUS: '08', POD_MEMORY: '010000' },
    argv: ['--conf', 'CoreSpecCount=4 MemSpecLimit=22000'],
  },
  { name: 'a pod as large as its node reserves something', env: { POD_CPUS: '16', POD_MEMORY: '32000' }, argv: [] },
  {
    name: 'a pod larger than its node reserves a negative number',
    env: { POD_CPUS: '99', POD_MEMORY: '99999' },
    argv: [],
  },
  { name: 'no limits reserve everything', env: { POD_CPUS: '0', POD_MEMORY: '0' }, argv: [] },
  { name: 'POD_TOPOLOGY is lost', env: { POD_TOPOLOGY: 'rack:r1' }, argv: ['--conf', 'Topology=rack:r1'] },
  {
    name: 'a key is given twice, and Slurm complains',
    args: [`--conf 'Topology=old CoreSpecCount=1 Weight=2'`],
    env: { POD_TOPOLOGY: 'new', POD_CPUS: '14' },
    argv: ['--conf', 'Weight=2 CoreSpecCount=1 Topology=new'],
  },
]

describe('slurmd', () => {
  for (const { name, args = [], env = {}, argv } of slurmd) {
    test(name, async () => {
      const { code, calls } = await new Stage().run(['slurmd', ...args], env)
      expect(calls.filter((call) => call[1] !== '-C')).toEqual([['slurmd', '-D', ...argv]])
      expect(code).toBe(0)
    })
  }

  test('its folders are missing', async () => {
    const stage = new Stage()
    await stage.run(['slurmd'])
    expect(['run/slurm', 'var/spool/slurmd', 'run/sshd'].map((path) => existsSync(join(stage.root, path)))).toEqual([
      true,
      true,
      false,
    ])
  })

  test('a failed daemon looks like a finished one', async () => {
    expect((await new Stage().run(['slurmd'], { FAKE_slurmd: 'exit 3' })).code).toBe(3)
  })

  test('the log tells options, which may be secret', async () => {
    const { stderr } = await new Stage().run(['slurmd', '--secret=s3cret'], {
      SLURMD_OPTIONS: '--other s3cret',
      POD_CPUS: '2',
    })
    expect(stderr).toBe('entrypoint: --conf gets CoreSpecCount=7\n')
  })
})
