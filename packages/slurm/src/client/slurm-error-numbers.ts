/**
 * Slurm's error numbers that change what we do. All others are read by people.
 *
 * @module
 */

/** The token was not accepted. slurmrestd passes tokens on, so this comes from slurmctld. */
export const AUTHENTICATION_ERROR = 1007

/** No such node. */
export const INVALID_NODE_NAME = 2018

/** No such job. */
export const INVALID_JOB_ID = 2017

/** No such reservation, or one that cannot be. */
export const INVALID_RESERVATION = 2053

/** A question about something that is not there, as 24.11 answers it for partitions. */
export const INVALID_QUERY = 9000

/** The node has jobs or is in an active reservation. */
export const NODES_BUSY = 2016

/** The job has ended already. */
export const JOB_ALREADY_DONE = 2021

/** slurmctld (or slurmdbd) did not answer slurmrestd, or is a standby that does not decide. */
export const nobodyAtHomeNumbers: readonly number[] = [
  1001, 1002, 1003, 1004, 1800, 1801, 1802, 1803, 2027, 5003, 5004, 7000,
]
