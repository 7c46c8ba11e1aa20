import { describe, expect, test } from 'vitest'
import { whyRestartNeeded } from './restart-settings.ts'

const old = 'ClusterName=a\nSlurmctldHost=x\nSlurmctldHost=y\nAuthInfo=p\nMaxNodeCount=1024\nNodeSet=a Feature=a'

describe('slurmctld is not restarted', () => {
  const changes: readonly (readonly [name: string, text: string])[] = [
    ['for nothing', old],
    ['for a comment, blanks or another case of a key', `# x\n${old.replace('ClusterName=', 'clustername = ')}`],
    ['for a new NodeSet', `${old}\nNodeSet=b Feature=b\nPartitionName=b Nodes=b`],
    ['for a larger cluster', old.replace('1024', '2048')],
    ['for generic resources', `${old}\nGresTypes=gpu`],
    ['for scheduling', `${old}\nSchedulerParameters=defer`],
  ]
  test.each(changes)('%s', (_name, text) => expect(whyRestartNeeded(old, text)).toEqual([]))
})

describe('slurmctld is restarted', () => {
  const changes: readonly (readonly [key: string, text: string])[] = [
    ['ClusterName', old.replace('ClusterName=a', 'ClusterName=b')],
    ['SlurmctldPort', `${old}\nSlurmctldPort=7777`],
    ['SlurmctldHost', old.replace('SlurmctldHost=y\n', '')],
    ['AuthInfo', `${old}\nAuthInfo=q`],
    ['TLSType', `${old}\ntlstype=tls/s2n`],
  ]
  test.each(changes)('for %s, with the reason', (key, text) => {
    expect(whyRestartNeeded(old, text)).toEqual([{ key, because: expect.stringContaining(`${key} changes from`) }])
  })
})
