/**
 * Every reason that a condition of ours can have: what it means for the object, what happens next, and what a person can do.
 * A new reason is one row here; the documentation is made from this table.
 *
 * @module
 */
import type { WantedCondition } from '@slurm-operator/kube'
import type { ObjectState } from '@slurm-operator/runtime'

/** One reason. */
export interface ReasonRow {
  readonly kind: ObjectState['kind']
  readonly means: string
  readonly next: string
  readonly advice: string
}

/** All reasons by their stable words. */
export const reasons = {
  Ready: row('ready', 'Everything is as wanted.', 'A change wakes us.', 'Nothing to do.'),
  Starting: row(
    'working',
    'Objects were written and their pods are not ready yet.',
    'A change of the pods wakes us.',
    'Wait. If it lasts, look at the pods: `kubectl describe pod`.',
  ),
  RollingOut: row('working', 'Pods are being replaced.', 'A change of the pods wakes us.', 'Wait.'),
  WaitingForReference: row(
    'stalled',
    'An object that the spec refers to does not exist.',
    'Its creation wakes us. What runs already is left as it is.',
    'Create the object that the message names, or correct the reference.',
  ),
  WaitingForController: row(
    'working',
    'The Controller has not been set up yet.',
    'Its progress wakes us.',
    'Look at the Controller.',
  ),
  WaitingForDeletion: row('working', 'A former object of the same name is being deleted.', 'We look again.', 'Wait.'),
  InvalidSpec: row(
    'stalled',
    'The spec cannot be carried out as it is written.',
    'A change of the spec wakes us. What runs already is left as it is.',
    'Correct the field that the message names.',
  ),
  ObjectNotOurs: row(
    'stalled',
    'An object of the name that we need belongs to somebody else.',
    'We look again every minute. It is not touched.',
    'Rename or delete that object.',
  ),
  NameTaken: row(
    'stalled',
    'Two wanted objects have the same name. A NodeSet is Reconciling with it: a former pod of that name is still ending (in DaemonSet mode: a worker of that host name still leaves another Kube node), or a pod that is not ours has it.',
    'A change wakes us; a NodeSet looks again.',
    'Choose other names. With a NodeSet wait; if it lasts, look at that pod.',
  ),
  ObjectInvalid: row(
    'stalled',
    'The API server does not accept an object that we built from the spec.',
    'We look again every minute.',
    'Correct the field that the message names.',
  ),
  ImmutableField: row(
    'stalled',
    'A field of an existing object cannot be changed.',
    'We look again every minute.',
    'Take the change back, or delete the object so that it is made anew.',
  ),
  WriteFailed: row(
    'working',
    'The API server did not take a write.',
    'We try again, later each time.',
    'If it lasts: look at the API server and at the rights of the operator.',
  ),
  PassFailed: row(
    'working',
    'Something that we needed to read or do failed.',
    'We try again, later each time.',
    'Read the message. If it lasts, look at the log of the operator.',
  ),
  ImageCannotBePulled: row(
    'stalled',
    'The kubelet cannot get an image.',
    'The kubelet tries again by itself.',
    'Correct the image or the pull secret.',
  ),
  ContainerCrashes: row(
    'stalled',
    'A container ends again and again.',
    'The kubelet starts it again, later each time.',
    'Read the message, and the log of the container.',
  ),
  KubeNodeLost: row(
    'stalled',
    'The Kube node of a pod does not answer, so nobody knows whether the pod has ended.',
    'The pod is made anew when the Kube node is back or gone.',
    'Bring the Kube node back. If it is lost for good, delete it: `kubectl delete node`.',
  ),
  Unschedulable: row(
    'stalled',
    'No Kube node takes the pod.',
    'The scheduler tries again by itself.',
    'Look at requests, selectors, taints and claims of the pod.',
  ),
  ClaimPending: row(
    'stalled',
    'A claim has no volume.',
    'The provisioner tries again by itself.',
    'Look at the claim: a StorageClass may be missing.',
  ),
  TokenExpired: row(
    'stalled',
    'The token has ended and is not to be renewed.',
    'A change of the Token wakes us.',
    'Set refresh to true, or delete the Secret: then a new token is made.',
  ),
  External: row('ready', 'It runs outside of Kubernetes.', 'A change wakes us.', 'Nothing to do.'),
  NoConnection: row(
    'working',
    'Nothing leads to Slurm.',
    'A RestApi wakes us.',
    'Create a RestApi that refers to the Controller, or a Cluster of the same name with a server.',
  ),
  Connecting: row('working', 'Slurm has not answered yet.', 'Its first answer wakes us.', 'Wait.'),
  SlurmUnreachable: row(
    'working',
    'slurmrestd does not answer.',
    'We try again, at most a minute later.',
    'Look at the RestApi and at network policies.',
  ),
  SlurmRefused: row(
    'stalled',
    'slurmrestd answers and does not accept us.',
    'We try again, up to 15 minutes later; a new token or key is tried at once.',
    'Look at the token, the key and the version of Slurm.',
  ),
  Applied: row('ready', 'slurmctld has read its configuration.', 'A change wakes us.', 'Nothing to do.'),
  Reconfigured: row(
    'ready',
    'slurmctld was asked to read its configuration, and nothing shows whether its files were already the new ones.',
    'It is asked once more when they surely are.',
    'Nothing to do.',
  ),
  ReadAtStart: row(
    'ready',
    'slurmctld has read its configuration when it started.',
    'Once slurmrestd answers, slurmctld is asked to read it again, which also saves its state.',
    'Nothing to do.',
  ),
  LeftToSidecar: row(
    'ready',
    'The reconfigure container tells slurmctld of every change.',
    'It looks every few seconds.',
    'If a change has no effect, read the log of that container.',
  ),
  ConfigurationPending: row(
    'working',
    'The configuration has changed, and slurmctld has not read it yet.',
    'The pods get the files, then slurmctld is asked. It is not restarted.',
    'Wait.',
  ),
  ConfigurationRefused: row(
    'stalled',
    'slurmctld did not take the changed configuration and goes on with the former one.',
    'A change is tried at once, the same again every five minutes.',
    'Read the words of Slurm in the message and correct the configuration.',
  ),
  CannotReconfigure: row(
    'stalled',
    'Nobody can ask slurmctld to read its changed configuration. It is not restarted without being asked for.',
    'An answer of slurmrestd wakes us.',
    'Create a RestApi, set inplaceReconfigure: true, or delete the pod.',
  ),
  LeftOut: row(
    'stalled',
    'Something in the configuration cannot be right and was left out; all else is in use.',
    'A change wakes us.',
    'Correct what the message names.',
  ),
  NoPods: row('unknown', 'There is no slurmctld pod.', 'The first pod wakes us.', 'Wait.'),
  ClaimAsWanted: row(
    'ready',
    'The claim with the state of slurmctld is as wanted.',
    'A change wakes us.',
    'Nothing to do.',
  ),
  ClaimNotOurs: row(
    'ready',
    'The state of slurmctld is in no claim that we make.',
    'A change wakes us.',
    'Nothing to do.',
  ),
  NoClaim: row('unknown', 'The claim does not exist yet.', 'Its creation wakes us.', 'Wait.'),
  ClaimGrowing: row('working', 'The volume gets more room.', 'A change of the claim wakes us.', 'Wait.'),
  ClaimFixed: row(
    'stalled',
    'The spec asks for something that cannot be changed in a claim that exists.',
    'A change wakes us. The claim stays as it is.',
    'Take the change back, or move the data to another claim and name it in existingClaim.',
  ),
  ClaimCannotGrow: row(
    'stalled',
    'The API server refuses to give the claim more room.',
    'Each pass tries again.',
    'Use a StorageClass that allows it, or take the change back.',
  ),
  ScalingOut: row('working', 'Workers are being made.', 'Their pods wake us.', 'Wait.'),
  Replacing: row('working', 'Workers are being replaced.', 'We go on as jobs end and pods get ready.', 'Wait.'),
  Ending: row(
    'working',
    'Pods of a NodeSet are ending.',
    'Their end wakes us.',
    'Wait. If it lasts, look at the pods: `kubectl describe pod`.',
  ),
  Deleting: row(
    'working',
    'The NodeSet is being deleted. If it asks for that, its workers are drained first.',
    'We go on as jobs end; then Kubernetes removes what is left.',
    'Wait, or cancel the jobs.',
  ),
  NotRegistered: row(
    'working',
    'Workers are Ready and Slurm does not list them.',
    'We wait for two minutes, then replace them, a few at a time.',
    'Look at the log of slurmd: names, keys, the address of slurmctld.',
  ),
  Answers: row('ready', 'Slurm answers.', 'A change in Slurm wakes us.', 'Nothing to do.'),
  Created: row(
    'ready',
    'The reservation of a scheduled update exists in Slurm.',
    'We wake at its start.',
    'Nothing to do.',
  ),
  NotExists: row(
    'working',
    'The reservation of a scheduled update is over.',
    'Workers with the old template stay until there is a new time.',
    'Set another `updateStrategy.scheduledUpdate.startTime` if workers have the old template.',
  ),
  SlurmNodeDown: row(
    'stalled',
    'The pod of a worker is ready, and its Slurm node is FAIL, or is DOWN, ERROR or refused (INVALID_REG) for a reason that somebody gave.',
    'It is left as it is. Its return to service wakes us.',
    'Read the words of Slurm in the message. Repaired? `scontrol update nodename=… state=resume`. If it is INVALID_REG, Slurm refuses that: `scontrol delete nodename=…`.',
  ),
  SlurmNodeUnusable: row(
    'working',
    'The pod of a worker is ready, and its Slurm node takes no jobs: it does not respond, it was left DOWN by us or since Slurm refused it before, or Slurm refuses its registration.',
    'Slurm or we return it to service; a worker that is refused is replaced.',
    'If it lasts: look at the log of slurmd, and compare extraConf with `slurmd -C`. Without ReturnToService in slurm.conf a node that was silent for long needs `scontrol update nodename=… state=resume`.',
  ),
  NotDrained: row(
    'working',
    'A worker must leave and may still receive jobs.',
    'The drain was asked for; Slurm confirms it within seconds.',
    'Wait.',
  ),
  JobsRunning: row(
    'working',
    'A worker must leave and runs jobs.',
    'It goes when they have ended.',
    'Wait, or cancel the jobs.',
  ),
  SlurmSilent: row(
    'working',
    'Slurm does not tell the state of a worker that must leave, or lists a job that we cannot read and that may be there.',
    'Nothing is deleted until it does. We look again.',
    'Look at the RestApi and at slurmctld. If it is a job: `squeue --nodelist=…` shows those on a worker.',
  ),
  JoinedElsewhere: row(
    'working',
    'A worker has joined Slurm under another name than ours.',
    'It is left alone.',
    'Look at its host name.',
  ),
  MayBeJoining: row(
    'working',
    'A worker that must leave may be joining Slurm, or has been missing from it for a moment only.',
    'We look again in seconds. After two minutes at most we believe that it is not there; after 15 if most workers are missing.',
    'Wait. If most are missing, look at slurmctld.',
  ),
  Reserved: row(
    'working',
    'Slurm refuses a worker because of its old record, and keeps that record while a reservation lasts.',
    'We look again. The worker is replaced when the reservation is over.',
    'Wait, or take the node out of the reservation.',
  ),
  NotItsTurn: row(
    'working',
    'As many workers as allowed are unavailable.',
    'The next is replaced when one is back.',
    'Wait, or raise maxUnavailable.',
  ),
  FailedBefore: row(
    'working',
    'A worker pod has failed several times.',
    'It is made again, later each time.',
    'Look at the pod and at its Events.',
  ),
  OthersFirst: row(
    'working',
    'Earlier deletions are still being seen through, or this pass has deleted as many workers as it may: 250.',
    'We go on within a second.',
    'Wait.',
  ),
  ClaimTerminating: row(
    'working',
    'A claim of a worker is being deleted.',
    'The worker is made when it is gone.',
    'Wait, or look at who holds the claim.',
  ),
  KubeNodeNotReady: row(
    'working',
    'The Kube node of a worker is not ready.',
    'Its return wakes us.',
    'Look at the Kube node.',
  ),
  Reservation: row(
    'working',
    'Slurm does not tell whether the reservation of a scheduled update exists, or no worker has registered for it yet.',
    'We look again every ten seconds.',
    'Wait. If it lasts, look at the RestApi and at the log of slurmd.',
  ),
  ReservationNameTaken: row(
    'stalled',
    'A reservation of our name exists and is not ours.',
    'It is left alone.',
    'Rename or delete that reservation.',
  ),
  HostnameTaken: row(
    'stalled',
    'Two workers would have the same host name.',
    'The second is not made.',
    'Choose other host names.',
  ),
  SlurmNameTaken: row(
    'stalled',
    'Another NodeSet has a worker of the same name in Slurm.',
    'The note in the record stays the one of the other worker.',
    'Choose another name or host name for one of the NodeSets.',
  ),
  ConflictingController: row(
    'stalled',
    'A claim of a worker belongs to somebody else.',
    'It is left alone.',
    'Remove the owner reference, or rename the NodeSet.',
  ),
  ControllerNotFound: row(
    'stalled',
    'The Controller of the NodeSet does not exist.',
    'Its creation wakes us. Workers that run are left alone.',
    'Create the Controller, or correct controllerRef.',
  ),
  InputsUnreadable: row(
    'stalled',
    'Worker pods cannot be built from the spec.',
    'A change wakes us. Workers that run are left alone.',
    'Correct the field that the message names.',
  ),
  StepFailed: row(
    'working',
    'Something that had to be done failed.',
    'We try again, later each time.',
    'Read the message.',
  ),
} as const satisfies Record<string, ReasonRow>

/** The word of a reason. */
export type Reason = keyof typeof reasons

/** The state of an object for a reason, with a sentence for people. */
export function stateOf(reason: Reason, because: string): ObjectState {
  return { kind: reasons[reason].kind, reason, because }
}

/** A condition besides Ready: true where the reason is a good one. */
export function lineOf(reason: Reason, message: string): Pick<WantedCondition, 'status' | 'reason' | 'message'> {
  return { status: statuses[reasons[reason].kind], reason, message }
}

const statuses = { ready: 'True', working: 'False', stalled: 'False', unknown: 'Unknown' } as const

function row<K extends ObjectState['kind']>(kind: K, means: string, next: string, advice: string) {
  return { kind, means, next, advice } as const
}
