/**
 * Test data for the builders of this room: a NodeSet `gpu` of the Controller `slurm` in the namespace `ns`, and what is
 * made of it.
 *
 * @module
 */
import { withNodeSetDefaults, type Controller, type NodeSet, type NodeSetWithDefaults } from '@slurm-operator/api'
import type { Container, Pod, PodSpec } from '@slurm-operator/kube'
import type { Kept } from '../world/trim.ts'
import { buildWorkerPod } from './build-worker-pod.ts'
import { buildWorkerTemplate, type TemplateInputs, type WorkerTemplate } from './build-worker-template.ts'
import type { WorkerWish } from './steps.ts'

const apiVersion = 'slinky.slurm.net/v1beta1'

/** What a user says about a NodeSet. */
export type SpecDifferences = Partial<NodeSet['spec']>

/** The NodeSet with these differences, as a server stores it. */
export function aNodeSet(
  spec: SpecDifferences = {},
  metadata: Partial<NodeSet['metadata']> = {},
): Kept<NodeSetWithDefaults> {
  const name = metadata.name ?? 'gpu'
  const server = { uid: `uid-${name}`, resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' }
  const nodeSet: NodeSet = {
    ...{ apiVersion, kind: 'NodeSet' },
    metadata: { namespace: 'ns', ...server, ...metadata, name },
    spec: { controllerRef: { name: 'slurm' }, ...spec },
  }
  return withNodeSetDefaults(nodeSet as Kept<NodeSet>)
}

/** Its Controller, with these differences. */
export function aController(spec: Partial<Controller['spec']> = {}): Controller {
  const slurmKeyRef = { name: 'auth', key: 'the-key' }
  return {
    apiVersion,
    kind: 'Controller',
    metadata: { name: 'slurm', namespace: 'ns' },
    spec: { slurmKeyRef, ...spec },
  }
}

/** The template of all its workers. */
export function templateOf(nodeSet: NodeSetWithDefaults, inputs: Partial<TemplateInputs> = {}): WorkerTemplate {
  const usual = { controller: aController(), sssdConf: undefined, clusterDomain: 'cluster.local' }
  return buildWorkerTemplate(nodeSet, { ...usual, ...inputs }).value
}

/** The pod of a NodeSet with these differences, before it is anybody's. */
export function specOf(spec: SpecDifferences = {}, inputs: Partial<TemplateInputs> = {}): PodSpec {
  return templateOf(aNodeSet(spec), inputs).spec
}

/** Its slurmd. */
export function slurmdOf(spec: SpecDifferences = {}, inputs: Partial<TemplateInputs> = {}): Container | undefined {
  return specOf(spec, inputs).containers.find(({ name }) => name === 'slurmd')
}

/** The pod of worker 0 of a NodeSet with these differences. */
export function podOf(spec: SpecDifferences = {}, worker: Partial<WorkerWish> = {}): Pod {
  const nodeSet = aNodeSet(spec)
  const usual: WorkerWish = {
    ...{ ordinalText: '0', name: 'gpu-0', hostname: 'gpu-0', node: undefined, revisionHash: 'abc', claims: [] },
    isProtected: false,
  }
  return buildWorkerPod(nodeSet, templateOf(nodeSet), { ...usual, ...worker })
}
