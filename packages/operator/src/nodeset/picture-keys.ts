/**
 * The marks by which a pass tells the next one what it has decided. They stand on the pods, so that nothing is lost when
 * the operator is.
 *
 * @module
 */

import { annotationKeys, hashAnnotations, labelKeys, SLURM_REGISTERED } from '@slurm-operator/api'

/** On pods and ControllerRevisions: the hash of the template. */
export const REVISION_HASH_LABEL = labelKeys.revisionHash

/** On a worker pod: the public cordon annotation was set by us, so we may take it away. A user's never is. */
export const CORDON_BY = annotationKeys.podCordonBy
/** The only value of it. */
export const BY_OPERATOR = 'slurm-operator'

/** On a worker pod: why it was chosen to leave and since when, such as `ScaleIn 2026-11-16T02:00:00Z`. */
export const CONDEMNED = annotationKeys.podCondemned

/**
 * On a worker pod, from its builder: a hash of what slurmd registers with (CPUs, memory, `--conf`). If it changes, the
 * old Slurm record must go between the old pod and the new one, or the new slurmd is refused as INVALID_REG.
 */
export const REGISTRATION = hashAnnotations.registration

/**
 * A condition of worker pods: Slurm has listed this worker. Once written it stays, as False when the record is gone:
 * that is how we tell a worker that never joined from one whose record has vanished.
 */
export const REGISTERED_CONDITION = SLURM_REGISTERED
/** Its message when the record of a worker with jobs has vanished, which Slurm itself would refuse: nobody may forget them. */
export const RAN_JOBS = 'It ran jobs when Slurm listed it last.'
