/**
 * Annotations that we write, and those by which people and other programs tell us something.
 *
 * @module
 */

/** Written by us: hashes of what a pod was started with, so that a change starts a new one. */
export const hashAnnotations = {
  slurmKey: 'slinky.slurm.net/slurm-key-hash',
  jwtKey: 'slinky.slurm.net/jwt-key-hash',
  slurmConfig: 'slinky.slurm.net/slurm-config-hash',
  slurmdbdConf: 'slinky.slurm.net/slurmdbd-conf-hash',
  sshHostKeys: 'slinky.slurm.net/ssh-host-keys-hash',
  sshdConf: 'slinky.slurm.net/sshd-conf-hash',
  sssdConf: 'slinky.slurm.net/sssd-conf-hash',
  slurmRestart: 'slinky.slurm.net/slurm-restart-hash',
  authorizedKeys: 'slinky.slurm.net/authorized-keys-hash',
  registration: 'nodeset.slinky.slurm.net/registration-hash',
} as const

/** Read by us, on the objects named in the table of `docs/reference`. */
export const annotationKeys = {
  /** On pods: the container that `kubectl logs` and `kubectl exec` mean. */
  defaultContainer: 'kubectl.kubernetes.io/default-container',
  /** On a Controller or Accounting: key Secrets that do not exist are made once, with random content. */
  generateKeys: 'slinky.slurm.net/generate-keys',
  /** On a NodeSet: its workers are drained before it goes. */
  drainOnDelete: 'nodeset.slinky.slurm.net/drain-on-delete',
  /** On a NodeSet: its pods are protected from eviction until Slurm has drained them, and not only while they run jobs. */
  protectUntilDrained: 'nodeset.slinky.slurm.net/protect-until-drained',
  /** On a worker pod: its Slurm node is drained. */
  podCordon: 'nodeset.slinky.slurm.net/pod-cordon',
  /** On a worker pod: it was the operator that set the one before. */
  podCordonBy: 'nodeset.slinky.slurm.net/pod-cordon-by',
  /** On a worker pod: why it was chosen to leave, and since when. */
  podCondemned: 'nodeset.slinky.slurm.net/pod-condemned',
  /** On a workload that another operator made: the template of ours that its own one stands for. */
  adoptedTemplate: 'slinky.slurm.net/adopted-template',
  /** On a worker pod: pods that cost less are deleted first. */
  podDeletionCost: 'nodeset.slinky.slurm.net/pod-deletion-cost',
  /** On a worker pod: when its last job will have ended. */
  podDeadline: 'nodeset.slinky.slurm.net/pod-deadline',
  /** On a Kube node: the reason that its Slurm nodes get when it is cordoned. */
  nodeCordonReason: 'nodeset.slinky.slurm.net/node-cordon-reason',
  /** On a Kube node: the hostname of its worker in DaemonSet mode. */
  hostnameOverride: 'nodeset.slinky.slurm.net/hostname-override',
  /** On a Kube node, copied to worker pods: the place in Slurm's topology. */
  topology: 'topology.slinky.slurm.net/spec',
  /** On a Kube node: Slurm features, comma-separated. */
  features: 'features.slinky.slurm.net/spec',
} as const

/** What the features of a Kube node get in front in Slurm. */
export const KUBE_FEATURE_PREFIX = 'k8s/'
