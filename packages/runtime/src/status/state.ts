/**
 * What a pass found out about its object, and the three conditions that say so. Tools such as kubectl, Helm, Flux and
 * Argo CD read them by the rules of kstatus: `Ready` is the answer, `Reconciling` and `Stalled` say why there is none yet.
 *
 * @module
 */
import type { WantedCondition } from '@slurm-operator/kube'

/** How it is with an object. `reason` is a stable word, `because` a sentence for people. */
export type ObjectState = {
  readonly kind:
    | 'ready' // wanted and actual agree
    | 'working' // they do not, and something is being done about it or waited for
    | 'stalled' // they do not, and only a person can help
    | 'unknown' // we could not look
  readonly reason: string
  readonly because: string
}

/** What the conditions are built for. */
export interface Reported {
  /** The generation of the spec that this pass has seen. */
  readonly generation: number
  /** Whether the status speaks about the object for the first time. */
  readonly isFirst: boolean
}

type Line = Pick<WantedCondition, 'status' | 'reason' | 'message'>

const normal: Line = { status: 'False', reason: 'Normal', message: '' }

/**
 * The three lines, in the order in which tools read them. Never two of them at once: who is stalled does not work, and
 * who works or is stalled is not ready. The very first time a working object is `Unknown`, not `False`: nothing has
 * failed, we have only just begun.
 */
export function buildConditions(state: ObjectState, { generation, isFirst }: Reported): WantedCondition[] {
  const told = { reason: state.reason, message: state.because }
  const isWorking = state.kind === 'working' || state.kind === 'unknown'
  const lines: Readonly<Record<string, Line>> = {
    Ready: { status: readyStatus(state, isFirst), ...told },
    Reconciling: isWorking ? { status: 'True', ...told } : normal,
    Stalled: state.kind === 'stalled' ? { status: 'True', ...told } : normal,
  }
  return Object.entries(lines).map(([type, line]) => ({ type, ...line, observedGeneration: generation }))
}

function readyStatus({ kind }: ObjectState, isFirst: boolean): WantedCondition['status'] {
  switch (kind) {
    case 'ready':
      return 'True'
    case 'stalled':
      return 'False'
    case 'working':
      return isFirst ? 'Unknown' : 'False'
    case 'unknown':
      return 'Unknown'
  }
}
