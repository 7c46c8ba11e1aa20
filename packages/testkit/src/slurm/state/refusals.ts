/**
 * Why slurmctld says no: Slurm's own numbers and words, as they were recorded.
 *
 * @module
 */

/** A number of Slurm's and its text. */
export interface Refusal {
  readonly number: number
  readonly text: string
}

const refusal = (number: number, text: string): Refusal => ({ number, text })

/** All refusals that the simulation knows. */
export const refusals = {
  noError: refusal(0, 'No error'),
  unspecified: refusal(-1, 'Unspecified error'),
  authentication: refusal(1007, 'Protocol authentication error'),
  noController: refusal(1800, 'Unable to contact slurm controller (connect failure)'),
  partition: refusal(2000, 'Invalid partition name specified'),
  user: refusal(2010, 'Invalid user id'),
  busy: refusal(2016, 'Requested nodes are busy'),
  jobId: refusal(2017, 'Invalid job id specified'),
  nodeName: refusal(2018, 'Invalid node name specified'),
  jobDone: refusal(2021, 'Job/step already completing or completed'),
  jobPending: refusal(2024, 'Job is pending execution'),
  nodeState: refusal(2028, 'Invalid node state specified'),
  feature: refusal(2029, 'Invalid feature specification'),
  reservation: refusal(2053, 'Requested reservation is invalid'),
  jobFinished: refusal(2084, 'Job has already finished'),
  noEnvironment: refusal(2127, 'Environment is missing in job'),
  nodeExists: refusal(2168, 'Node already exists in the node table'),
  nodeTransition: refusal(2180, 'Invalid node state transition'),
  noDatabase: refusal(7000, 'Unable to connect to database'),
  query: refusal(9000, 'Query empty or not RFC7320 compliant'),
  conversion: refusal(9202, 'Unable to convert Data type'),
  flag: refusal(9207, 'Data parser unable to parse invalid flag'),
} as const
