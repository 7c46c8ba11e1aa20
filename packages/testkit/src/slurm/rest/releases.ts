import { type Refusal, refusals } from '../state/refusals.ts'

/** A release of Slurm, as far as it shows on the wire. */
export interface Release {
  /** As answers name it: `26.05.5`. */
  readonly full: string
  readonly versions: readonly string[]
  /** The status of an order that Slurm understood and refused. */
  readonly refusedStatus: number
  /** How RESUME of a node that needs none is refused. */
  readonly stateRefusal: Refusal
  /** 401 and 404 without JSON come twice on the same connection. */
  readonly doublesText: boolean
  readonly unknownPathText: string
  readonly badBodyText: string
  readonly deletesReservations: boolean
  /** A partition that does not exist is an error, not a warning. */
  readonly hasPartitionError: boolean
}

/** The names of the releases that can be simulated. */
export type ReleaseName = '24.11' | '26.05'

/** What was recorded of them. */
export const releases: Readonly<Record<ReleaseName, Release>> = {
  '24.11': {
    full: '24.11.5',
    versions: ['v0.0.40', 'v0.0.41', 'v0.0.42'],
    refusedStatus: 500,
    stateRefusal: refusals.nodeState,
    doublesText: false,
    unknownPathText: 'Unable find requested URL. Please view /openapi/v3 for API reference.',
    badBodyText: 'Unable to parse query.',
    deletesReservations: false,
    hasPartitionError: true,
  },
  '26.05': {
    full: '26.05.5',
    versions: ['v0.0.42', 'v0.0.43', 'v0.0.44', 'v0.0.45'],
    refusedStatus: 422,
    stateRefusal: refusals.nodeTransition,
    doublesText: true,
    unknownPathText:
      "Unable to find requested URL endpoint. Please query the '/openapi/v3' endpoint or visit the page of the REST API " +
      'for the OpenAPI specification which includes a list of all possible slurmrestd endpoints.',
    badBodyText: 'Failure during parsing',
    deletesReservations: true,
    hasPartitionError: false,
  },
}
