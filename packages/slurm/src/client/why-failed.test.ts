import { describe, expect, test } from 'vitest'
import type { SlurmFailure } from '../errors.ts'
import { recorded, recordedNames } from '../model/gen.ts'
import { pingRequest } from './ping-request.ts'
import { INVALID_JOB_ID, INVALID_NODE_NAME, INVALID_RESERVATION } from './slurm-error-numbers.ts'
import { whyFailed } from './why-failed.ts'

/** What each recorded answer must be taken for. What is not named here is a good answer. */
const sorted: Readonly<Record<SlurmFailure, readonly string[]>> = {
  'not-found': [
    'error-job-not-found',
    'error-node-delete-not-found',
    'error-node-update-not-found',
    'error-reservation-delete-not-found',
    'node-not-found',
    'reservation-not-found',
    'slurm-24.11-job-not-found',
    'slurm-24.11-node-not-found',
    'slurm-24.11-reservation-not-found',
    'slurm-24.11-update-not-found',
  ],
  refused: [
    'error-400-bad-json',
    'error-404-path',
    'error-404-version',
    'error-404-wrong-method',
    'error-415-accept',
    'error-415-content-type',
    'error-job-bad-id',
    'error-job-submit-bad-partition',
    'error-job-submit-no-environment',
    'error-job-submit-no-script',
    'error-new-node-duplicate',
    'error-new-node-syntax',
    'error-node-bad-state',
    'error-node-delete-busy',
    'error-node-delete-in-active-reservation',
    'error-node-resume-invalid-reg',
    'error-node-resume-not-drained',
    'error-node-two-states',
    'error-node-update-ordinary-user',
    'error-reconfigure-ordinary-user',
    'error-reservation-bad-node',
    'error-reservation-no-start',
    'error-reservation-ordinary-user',
    'error-update-time-not-a-number',
    'slurm-24.11-404',
    'slurm-24.11-bad-json',
    'slurm-24.11-bad-state',
    'slurm-24.11-delete-busy',
    'slurm-24.11-update-ordinary-user',
    'slurm-24.11-update-resume-again',
  ],
  unauthorized: [
    'error-401-no-token',
    'error-511-bad-signature',
    'error-511-expired',
    'error-511-garbage-token',
    'error-511-no-exp',
    'error-511-no-sun',
    'error-job-submit-name-mismatch',
    'ping-bad-token',
    'slurm-24.11-bad-signature',
    'slurm-24.11-no-token',
  ],
  unavailable: [
    'error-node-update-slurmctld-down',
    'error-nodes-slurmctld-down',
    'error-nodes-slurmctld-unreachable',
    'error-slurmdb-clusters-slurmdbd-down',
    'error-slurmdb-ping-slurmdbd-down',
  ],
  malformed: [],
}

function expected(name: string): SlurmFailure | 'good' {
  const entry = Object.entries(sorted).find(([, names]) => names.includes(name))
  return entry ? (entry[0] as SlurmFailure) : 'good'
}

/** The numbers that mean "not found" differ by what is asked for, as in the operations. */
function notFoundNumbers(path: string, method: string): number[] {
  if (path.includes('/job')) return [INVALID_JOB_ID]
  if (path.includes('/reservation')) return method === 'POST' ? [] : [INVALID_RESERVATION]
  return [INVALID_NODE_NAME]
}

describe('every recorded answer is taken for what it is', () => {
  test.for(recordedNames())('%s', (name) => {
    const { request, response } = recorded(name)
    const failure =
      whyFailed(response, notFoundNumbers(request.path, request.method)) ??
      (request.path.includes('/ping') ? pingRequest.whyFailed?.(response.body) : undefined)
    expect(failure?.failure ?? 'good').toBe(expected(name))
  })
})

const accidents: readonly { name: string; status: number; body: unknown; failure: SlurmFailure | undefined }[] = [
  { name: 'a proxy that is overloaded counts as a refusal', status: 429, body: 'slow down', failure: 'unavailable' },
  { name: 'a proxy without a slurmrestd counts as a refusal', status: 503, body: 'no backend', failure: 'unavailable' },
  { name: 'a crash of slurmrestd counts as a refusal', status: 500, body: 'oops', failure: 'unavailable' },
  { name: 'a redirect counts as success', status: 302, body: '', failure: 'malformed' },
  { name: 'an empty 204 counts as a failure', status: 204, body: '', failure: undefined },
  {
    name: 'a standby slurmctld counts as one that refused',
    status: 500,
    body: withError(2027),
    failure: 'unavailable',
  },
  {
    name: 'a bad token under a wrong status counts as a refusal',
    status: 500,
    body: withError(1007),
    failure: 'unauthorized',
  },
  { name: 'an error inside a 200 counts as success', status: 200, body: withError(2016), failure: 'refused' },
  { name: 'errors of another shape break us', status: 200, body: { errors: [null, 5, {}] }, failure: 'refused' },
  { name: 'errors that are no list break us', status: 200, body: { errors: 'none' }, failure: undefined },
]

function withError(error_number: number): unknown {
  return { errors: [{ error_number, error: 'words', description: 'more words' }] }
}

describe('sorting prevents that', () => {
  test.for(accidents)('$name', ({ status, body, failure }) => {
    expect(whyFailed({ status, body })?.failure).toBe(failure)
  })

  test('only a path that slurmrestd does not know makes us doubt its version', () => {
    expect(whyFailed(recorded('error-404-version').response)?.unknownPath).toBe(true)
    expect(whyFailed(recorded('error-job-not-found').response, [INVALID_JOB_ID])?.unknownPath).toBeUndefined()
  })
})
