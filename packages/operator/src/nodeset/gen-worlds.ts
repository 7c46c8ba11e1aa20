/**
 * All small worlds: every combination of what two or three workers can be, what Slurm says of each, and how sure we are of it.
 * Chance, as in `gen-any.ts`, finds what is rare among many things; this leaves nothing out among few.
 *
 * @module
 */
import { labelKeys, YES } from '@slurm-operator/api'
import { absent, seen, unknown, type Knowledge, type SlurmNode } from '@slurm-operator/slurm'
import { aKubeNode, aPicture, aSlurmNode, aWorker, infoFor, NEW_HASH, NOW, ourCordon } from './gen.ts'
import type { Claim, Picture, Wanted, Worker } from './picture.ts'

const LONG_AGO = NOW - 3_600_000
const OURS = 'slurm-operator: pod default/foo-0 awaits removal (ScaleIn)'
const THEIRS = 'bad disk'

type Says = (name: string) => Knowledge<SlurmNode>

function says(states: readonly string[], reason = '', atMs = NOW): Says {
  return (name) => seen(aSlurmNode({ name, states: [...states], reason, comment: infoFor(name, `n-${name}`) }), atMs)
}

/** What Slurm says of a worker, and how sure we are. */
const slurmSays: readonly Says[] = [
  says(['IDLE']),
  says(['ALLOCATED']),
  says(['IDLE', 'DRAIN'], OURS),
  says(['MIXED', 'DRAIN'], OURS),
  says(['IDLE', 'DRAIN', 'COMPLETING'], OURS),
  says(['IDLE', 'DRAIN'], THEIRS),
  says(['DOWN'], OURS),
  says(['DOWN'], THEIRS),
  says(['IDLE', 'DRAIN'], OURS, NOW - 60_000), // was said a minute ago
  () => absent(LONG_AGO),
  () => unknown('no-client'),
  (name) => unknown('unreachable', aSlurmNode({ name, states: ['IDLE', 'DRAIN'], reason: OURS })),
]

const notReady: Partial<Worker> = { readySinceMs: undefined }
const never: Partial<Worker> = { ...notReady, wasReady: false, conditions: [] }

/** How far its pod has come. */
const lives: readonly Partial<Worker>[] = [
  {},
  notReady,
  { ...never, phase: 'Pending', hasStarted: false, runningSinceMs: undefined },
  { ...notReady, phase: 'Failed', finishedAtMs: NOW - 500 },
]

/** Where it stands in an update: has the new template, the old one, or was chosen to leave for it. */
const updates: readonly Partial<Worker>[] = [
  { revisionHash: NEW_HASH },
  { revisionHash: 'old' },
  { revisionHash: 'old', annotations: ourCordon('Outdated') },
]

type Variant = (pod: string, mode?: Wanted['scalingMode']) => Worker

function variants(of: readonly Partial<Worker>[]): readonly Variant[] {
  const choices = slurmSays.flatMap((slurm) => of.flatMap((life) => updates.map((update) => ({ slurm, life, update }))))
  return choices.map(({ slurm, life, update }) => (pod, mode = 'StatefulSet') => {
    const hostname = mode === 'DaemonSet' ? `n-${pod}` : pod
    return aWorker(pod, { mode, hostname, slurmNode: slurm(hostname), ...life, ...update })
  })
}

const budgetOfOne = { type: 'RollingUpdate', maxUnavailable: 1 } as const

/** What is wanted of pairs, besides how many there are. */
const wishes: readonly Partial<Wanted>[] = [
  { updateStrategy: budgetOfOne, protects: 'until-drained' },
  { updateStrategy: { type: 'OnDelete' }, claimTemplates: ['data'], whenScaled: 'Delete' },
  { updateStrategy: budgetOfOne, scalingMode: 'DaemonSet' },
]

/** All pairs of workers, for so many replicas; each with several wishes, and with and without a cordon. */
export function* pairs(replicas: number): Generator<Picture> {
  const all = variants(lives)
  for (const wish of wishes) {
    const make = wish.protects === 'until-drained' ? protectedAs : (worker: Worker) => worker
    const [firsts, seconds] = ['foo-0', 'foo-1'].map((pod) => all.map((one) => make(one(pod, wish.scalingMode))))
    const claims = wish.claimTemplates === undefined ? [] : [aClaim('data-foo-0'), aClaim('data-foo-1')]
    for (const unschedulable of [false, true]) {
      const kubeNodes = [aKubeNode('n-foo-0', { unschedulable }), aKubeNode('n-foo-1')]
      const rest = { kubeNodes, claims, wanted: { ...wish, replicas } }
      for (const first of firsts ?? [])
        for (const second of seconds ?? []) yield aPicture({ workers: [first, second], ...rest })
    }
  }
}

function protectedAs(worker: Worker): Worker {
  return { ...worker, labels: { ...worker.labels, [labelKeys.podProtect]: YES } }
}

function aClaim(name: string): Claim {
  return { name, terminating: false, ownerReferences: [] }
}

/** All triples of workers whose pods run, for so many replicas and one that may be unavailable. */
export function* triples(replicas: number): Generator<Picture> {
  const all = variants([{}, notReady])
  const [firsts, seconds, thirds] = ['foo-0', 'foo-1', 'foo-2'].map((pod) => all.map((make) => make(pod)))
  const wanted = { replicas, updateStrategy: budgetOfOne }
  for (const first of firsts ?? [])
    for (const second of seconds ?? [])
      for (const third of thirds ?? []) yield aPicture({ workers: [first, second, third], wanted })
}
