import { beforeEach, describe, expect, test } from 'vitest'
import { findDifferences } from '../testing/build-in-still-world.ts'
import { hasRecordings, RECORDINGS_WANTED, type Allowed } from '../testing/recorded-cases.ts'
import { controllerRoom } from './room.ts'

const allowed: readonly Allowed[] = [
  { line: /slurm-config-hash: ".*" -> nothing/, reason: 'a changed configuration does not restart slurmctld' },
  { line: /slurm-restart-hash: nothing/, reason: 'settings that need a restart do' },
  { line: /slurm\.net\/active: nothing -> "true"/, reason: 'every pod is born with the mark of the one in charge' },
  {
    line: /selector\.controller\.slinky\.slurm\.net\/active: "true" -> nothing/,
    reason: 'one slurmctld needs no mark',
  },
  { line: /affinity\.podAntiAffinity.* -> nothing/, reason: 'only several slurmctld are kept apart' },
  { line: /controller\.slinky\.slurm\.net\/scrape: nothing/, reason: 'metrics are read through one Service only' },
  { line: /initContainers\[(order|repair-state)\]/, reason: 'a state that was never saved is repaired' },
  { line: /\.(fieldRef\.apiVersion|protocol): ".*" -> nothing/, reason: 'the server fills it in' },
  { line: /\.optional: nothing -> true/, reason: 'optional is passed on' },
  {
    cases: [
      'controller-bare',
      'controller-duplicate-container',
      'controller-probe-thresholds-only',
      'controller-volume-clash',
    ],
    line: /^StatefulSet slurm-controller: nothing was recorded/,
    reason: 'the reference builds what the server refuses',
  },
  { cases: ['controller-wrong-type'], line: /nothing was recorded/, reason: 'the reference stops altogether' },
  { cases: ['controller-zero-values'], line: /: .* -> (0|false)$/, reason: 'false and 0 of the user win' },
  {
    cases: ['controller-last-applied'],
    line: /metadata\.annotations/,
    reason: 'annotations of clients stay where they are',
  },
  { cases: ['controller-metadata'], line: /template.*helm\.sh\/chart/, reason: 'volatile labels stay off pods' },
  { cases: ['controller-service'], line: /[Pp]ort: 6817 -> 16817|SlurmctldPort=16817/, reason: 'one port everywhere' },
  { cases: ['controller-external'], line: /^ConfigMap metadata/, reason: 'the same rule for metadata everywhere' },
  { cases: ['accounting-external'], line: /AccountingStorageHost=dbd\.example\.com/, reason: 'externalConfig is used' },
  { cases: ['controller-extra-conf'], line: /data\.slurm\.conf/, reason: 'what the user sets is not set twice' },
  {
    cases: ['controller-extra-conf-lists'],
    line: /InvalidSpec: spec\.extraConf/,
    reason: 'Slurm would refuse the file',
  },
  { cases: ['controller-config-files-missing'], line: /ConfigMap late does not exist/, reason: 'a condition names it' },
  { cases: ['controller-missing-keys'], line: /Secret (slurm|jwt)-key does not exist/, reason: 'a condition names it' },
  { cases: ['controller-ha-claim-not-shared'], line: /InvalidSpec: spec\.persistence/, reason: 'a condition says it' },
  {
    cases: ['controller-active-label', 'controller-ha-claim-not-shared'],
    line: /^Service slurm-controller-\d: nothing was recorded|SlurmctldHost=slurm-controller-0\(slurm-controller-0\.controller/,
    reason: 'each of several has an address also while its pod is away',
  },
  { cases: ['controller-service-port-clash'], line: /InvalidSpec: spec\.service/, reason: 'a condition says it' },
]

const unbuilt: readonly Allowed[] = [
  {
    cases: ['controller-missing-keys', 'controller-extra-conf-lists', 'controller-config-files-missing'],
    line: /(StatefulSet|ConfigMap) .*: recorded, but not built/,
    reason: 'what cannot work is not written; the condition above says why',
  },
]

const cases = [
  ...['accounting-and-controller', 'accounting-external', 'keys-optional'],
  ...['active-label', 'bare', 'cluster-name', 'config-files', 'config-files-missing', 'container-merge', 'delete'].map(
    of,
  ),
  ...['duplicate-container', 'external', 'external-bare', 'extra-conf', 'extra-conf-lists', 'ha-claim-not-shared'].map(
    of,
  ),
  ...['jwks', 'jwt-both-fields', 'key-rotation', 'last-applied', 'metadata', 'minimal', 'missing-keys'].map(of),
  ...['persistence-existing', 'persistence-off', 'persistence-snapshot', 'probe-thresholds-only', 'probes'].map(of),
  ...['scripts', 'service', 'service-port-clash', 'servicemonitor-defaults', 'servicemonitor-without-metrics'].map(of),
  ...['volume-clash', 'wrong-type', 'zero-values'].map(of),
]

function of(name: string): string {
  return `controller-${name}`
}

describe('a Controller is what the reference made', () => {
  beforeEach(({ skip }) => skip(!hasRecordings, RECORDINGS_WANTED))
  test.each(cases)('%s', async (name) => {
    expect(await findDifferences(controllerRoom, name, [...allowed, ...unbuilt])).toEqual([])
  })
})
