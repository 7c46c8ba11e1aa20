/**
 * Labels that we put on objects and select them by.
 *
 * @module
 */

/** The keys. */
export const labelKeys = {
  app: 'app.kubernetes.io/name',
  instance: 'app.kubernetes.io/instance',
  component: 'app.kubernetes.io/component',
  partOf: 'app.kubernetes.io/part-of',
  managedBy: 'app.kubernetes.io/managed-by',
  /** The name of the Controller. */
  cluster: 'slinky.slurm.net/cluster',
  /** On the slurmctld pod that is in charge. */
  active: 'controller.slinky.slurm.net/active',
  podName: 'nodeset.slinky.slurm.net/pod-name',
  podIndex: 'nodeset.slinky.slurm.net/pod-index',
  podHostname: 'nodeset.slinky.slurm.net/pod-hostname',
  scalingMode: 'nodeset.slinky.slurm.net/scaling-mode',
  /** On worker pods that run jobs, or may get some: the disruption budget protects them. */
  podProtect: 'nodeset.slinky.slurm.net/pod-protect',
  /** On worker pods and ControllerRevisions: the hash of the template. */
  revisionHash: 'controller.kubernetes.io/hash',
} as const

/** The value of `part-of` on everything we make. */
export const PART_OF = 'slurm'
/** The value of `managed-by` on everything we make. */
export const MANAGED_BY = 'slurm-operator'

/** The two words by which the parts of Slurm are told apart. */
export const components = {
  controller: { app: 'slurmctld', component: 'controller' },
  accounting: { app: 'slurmdbd', component: 'accounting' },
  restApi: { app: 'slurmrestd', component: 'restapi' },
  login: { app: 'login', component: 'login' },
  worker: { app: 'slurmd', component: 'worker' },
} as const

/** One of them. */
export type Component = keyof typeof components

/** Labels as objects carry them. */
export type Labels = Readonly<Record<string, string>>

/** What selects the pods of one object: it must never change, so it is little. */
export function selectorLabels(component: Component, name: string): Labels {
  return { [labelKeys.app]: components[component].app, [labelKeys.instance]: name }
}

/** The well-known labels of a child of the object with that name. */
export function childLabels(component: Component, name: string): Labels {
  return {
    ...selectorLabels(component, name),
    [labelKeys.component]: components[component].component,
    ...ourLabels,
  }
}

/** Where something comes from; on every object we make, in no selector. */
export const ourLabels: Labels = { [labelKeys.partOf]: PART_OF, [labelKeys.managedBy]: MANAGED_BY }
