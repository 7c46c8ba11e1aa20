import { describe, expect, test } from 'vitest'
import { slurmConf, slurmdbdConf, databaseStatements } from './slurm-conf.ts'

const settings = { root: { release: '26.05' }, accounting: true, extraConfig: '' }
const linesOf = (text: string) => text.trimEnd().split('\n')

describe('slurm.conf prevents that', () => {
  for (const [accident, line] of [
    ['jobs fail because munge is tried', 'CredType=auth/slurm'],
    ['dynamic nodes are refused', 'MaxNodeCount=1024'],
    ['slurmd wants control groups', 'ProctrackType=proctrack/linuxproc'],
    ['workers need a configuration of their own', 'SlurmctldParameters=enable_configless'],
    ['users must exist on workers', 'AuthInfo=use_client_ids'],
  ] as const)
    test(accident, () => expect(linesOf(slurmConf(settings))).toContain(line))

  test('slurmctld waits for a database that was not asked for', () => {
    expect(slurmConf({ ...settings, accounting: false })).not.toContain('AccountingStorage')
  })

  test('an older Slurm stops at a parameter it does not know', () => {
    expect(slurmConf(settings)).toContain('MetricsType=')
    expect(slurmConf({ ...settings, root: { release: '24.11' } })).not.toContain('MetricsType=')
  })

  test('extra lines lose against ours because they come first, or are glued to a line', () => {
    const text = slurmConf({ ...settings, extraConfig: 'SlurmdTimeout=300\nPartitionName=a Nodes=ALL\n' })
    expect(linesOf(text).slice(-2)).toEqual(['SlurmdTimeout=300', 'PartitionName=a Nodes=ALL'])
    expect(text.endsWith('\n')).toBe(true)
  })
})

test('slurmdbd and MariaDB disagree about the password', () => {
  const password = /^StoragePass=(.+)$/m.exec(slurmdbdConf())?.[1]
  expect(databaseStatements()).toContain(`IDENTIFIED BY '${password}';`)
})

test('MariaDB stops at a statement because it goes over two lines', () => {
  for (const line of linesOf(databaseStatements())) expect(line).toMatch(/;$/)
})
