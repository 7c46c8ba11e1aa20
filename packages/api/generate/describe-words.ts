/**
 * What labels, annotations and conditions mean, for the tables in the docs. The types make sure that none is forgotten.
 *
 * @module
 */
import type { annotationKeys, hashAnnotations } from '../src/annotations.ts'
import type { conditionTypes } from '../src/conditions.ts'
import type { labelKeys } from '../src/labels.ts'

/** Where a word stands, and what it says there. */
export interface Described {
  readonly on: string
  readonly meaning: string
}

/** Labels. */
export const labelMeanings: Readonly<Record<keyof typeof labelKeys, Described>> = {
  app: {
    on: 'every child',
    meaning: 'The program: `slurmctld`, `slurmdbd`, `slurmrestd`, `slurmd` or `login`. Part of selectors.',
  },
  instance: { on: 'every child', meaning: 'The name of the object it belongs to. Part of selectors.' },
  component: {
    on: 'every child',
    meaning: 'The part of Slurm: `controller`, `accounting`, `restapi`, `worker` or `login`.',
  },
  partOf: { on: 'every child', meaning: '`slurm`.' },
  managedBy: { on: 'every child', meaning: '`slurm-operator`.' },
  cluster: { on: 'children of a NodeSet', meaning: 'The name of the Controller.' },
  active: { on: 'the slurmctld pod in charge', meaning: '`true`.' },
  podName: { on: 'worker pods', meaning: 'The name of the pod.' },
  podIndex: { on: 'worker pods', meaning: 'The number of the worker, in StatefulSet mode.' },
  podHostname: { on: 'worker pods', meaning: 'The host name, which is also the name of the Slurm node.' },
  scalingMode: { on: 'worker pods', meaning: 'The `scalingMode` the pod was made for.' },
  podProtect: {
    on: 'worker pods that run jobs; with `protect-until-drained` all',
    meaning:
      '`true`: the disruption budget keeps the pod from being evicted. With `protect-until-drained` it is there from the first moment until the worker is drained and without work.',
  },
  revisionHash: { on: 'worker pods, ControllerRevisions', meaning: 'The hash of the pod template.' },
}

/** Annotations that people and other programs write. */
export const annotationMeanings: Readonly<Record<keyof typeof annotationKeys, Described>> = {
  defaultContainer: {
    on: 'pods',
    meaning: 'Written by the operator: the container that `kubectl logs` and `kubectl exec` mean.',
  },
  generateKeys: {
    on: 'Controller, Accounting',
    meaning:
      '`true`: a key Secret that is referred to and does not exist is made once, with random content. It has no owner and is never deleted.',
  },
  drainOnDelete: { on: 'NodeSet', meaning: '`true`: when the NodeSet is deleted, its workers are drained first.' },
  protectUntilDrained: {
    on: 'NodeSet',
    meaning:
      '`true`: worker pods are protected from eviction until their Slurm nodes are drained and without work, and not only while jobs are known to run.',
  },
  podCordon: { on: 'worker pods', meaning: '`true`: the Slurm node is drained.' },
  podCordonBy: {
    on: 'worker pods',
    meaning: 'Written by the operator beside `pod-cordon`: it may take it away again.',
  },
  podCondemned: {
    on: 'worker pods',
    meaning: 'Written by the operator: why the worker was chosen to leave, and since when.',
  },
  adoptedTemplate: {
    on: 'StatefulSets, Deployments',
    meaning: 'Written by the operator on what another operator made: its pods stay until the resource changes.',
  },
  podDeletionCost: { on: 'worker pods', meaning: 'A whole number; workers that cost less leave first.' },
  podDeadline: {
    on: 'worker pods',
    meaning: 'Written by the operator: when the last job of the worker will have ended at the latest.',
  },
  nodeCordonReason: { on: 'Kube nodes', meaning: 'The reason that Slurm shows when the node is cordoned.' },
  hostnameOverride: { on: 'Kube nodes', meaning: 'The host name of the worker on this node, in DaemonSet mode.' },
  topology: {
    on: 'Kube nodes',
    meaning: 'The place in the topology of Slurm, such as `topo-switch:s2,topo-block:b2`. Copied to worker pods.',
  },
  features: {
    on: 'Kube nodes',
    meaning: 'Features for Slurm, comma-separated; Slurm shows them with `k8s/` in front.',
  },
}

/** Annotations that we write on pods, so that a change starts a new one. */
export const hashMeanings: Readonly<Record<keyof typeof hashAnnotations, Described>> = {
  slurmKey: {
    on: 'pods of Controller, Accounting, RestApi, LoginSet',
    meaning: 'Hash of the Secret with the key of auth/slurm.',
  },
  jwtKey: { on: 'pods of Controller, Accounting', meaning: 'Hash of the Secret with the JWT key.' },
  slurmConfig: {
    on: 'pods of Controller, RestApi',
    meaning:
      'slurmctld: the configuration that the kubelet was told of; written on the pod itself, starts nothing. slurmrestd: hash of the settings that it uses.',
  },
  slurmRestart: {
    on: 'pods of Controller',
    meaning: 'Hash of the settings that slurmctld reads only when it starts.',
  },
  authorizedKeys: { on: 'pods of LoginSet', meaning: 'Hash of the keys by which root may log in.' },
  registration: {
    on: 'worker pods',
    meaning: 'Hash of what slurmd registers with; when it changes, the record in Slurm is removed between two pods.',
  },
  slurmdbdConf: { on: 'pods of Accounting', meaning: 'Hash of slurmdbd.conf.' },
  sshHostKeys: { on: 'pods of LoginSet', meaning: 'Hash of the SSH host keys.' },
  sshdConf: { on: 'pods of LoginSet, NodeSet', meaning: 'Hash of sshd_config.' },
  sssdConf: { on: 'pods of LoginSet, NodeSet', meaning: 'Hash of sssd.conf.' },
}

/** Conditions of our own objects. */
export const conditionMeanings: Readonly<Record<keyof typeof conditionTypes, Described>> = {
  ready: {
    on: 'every kind',
    meaning: 'True: everything wanted is there and works. Unknown: nobody has looked yet, or nobody can.',
  },
  reconciling: { on: 'every kind', meaning: 'True while the operator works on it.' },
  stalled: {
    on: 'every kind',
    meaning: 'True when only a person can help, and the reason says with what.',
  },
  slurmReachable: {
    on: 'Controller, NodeSet, Cluster',
    meaning: 'Slurm answers. While it does not, nothing is drained or deleted.',
  },
  reservationCreated: { on: 'NodeSet', meaning: 'The reservation of a scheduled update exists in Slurm.' },
  configurationApplied: {
    on: 'Controller',
    meaning:
      'slurmctld uses the configuration that was written. False: it is on its way, or slurmctld refused it, in its own words.',
  },
  claimCurrent: { on: 'Controller', meaning: 'The claim of slurmctld is as large as the spec asks for.' },
}
