import type { RandomSource } from '../random/random-source.ts'
import type { Fate, MessageFate } from './fate.ts'
import { isWrite, type Message, type Step } from './step.ts'

/** Who decides what becomes of each call and of each line of a watch. */
export interface Plan {
  readonly step: (step: Step) => Fate
  readonly message: (message: Message) => MessageFate
}

const deliver = { do: 'deliver' } as const

/** Nothing goes wrong. */
export const peace: Plan = { step: () => deliver, message: () => deliver }

/** Exactly these fates for exactly these steps and messages; everything else is delivered. */
export function planExactly(fates: {
  readonly steps?: Readonly<Record<number, Fate>>
  readonly messages?: Readonly<Record<number, MessageFate>>
}): Plan {
  return {
    step: ({ number }) => fates.steps?.[number] ?? deliver,
    message: ({ number }) => fates.messages?.[number] ?? deliver,
  }
}

/** What may go wrong, how often, and how often at most. */
export interface Trouble {
  /** From 0 to 1, for each step and for each message. */
  readonly chance: number
  /** After so many faults there is peace. */
  readonly quota: number
  readonly fates?: readonly Fate[]
  readonly messageFates?: readonly MessageFate[]
}

/** Faults that any API server and any network can show. Killing is not among them: somebody must start the process again. */
export const commonFates: readonly Fate[] = [
  { do: 'delay', requestMs: 2_000 },
  { do: 'delay', answerMs: 2_000 },
  { do: 'refuse' },
  { do: 'cut', when: 'before' },
  { do: 'cut', when: 'after' },
  { do: 'hang', when: 'before' },
  { do: 'hang', when: 'after' },
  { do: 'answer', status: 429, when: 'before', retryAfterSeconds: 1 },
  { do: 'answer', status: 500, when: 'before' },
  { do: 'answer', status: 500, when: 'after' },
  { do: 'answer', status: 503, when: 'before' },
  { do: 'answer', status: 504, when: 'after' },
]

/** What a watch of a healthy server may show. */
export const commonMessageFates: readonly MessageFate[] = [
  { do: 'delay', byMs: 1_000 },
  { do: 'delay', byMs: 30_000 },
  { do: 'cut' },
  { do: 'end' },
  { do: 'expire' },
]

/** Faults by chance, the same ones for the same seed. A conflict is only answered to those who write. */
export function planTrouble(random: RandomSource, trouble: Trouble): Plan {
  const [steps, messages] = [random.stream('steps'), random.stream('messages')]
  const { chance, fates = commonFates, messageFates = commonMessageFates } = trouble
  let left = trouble.quota
  const strikes = (stream: RandomSource, choices: readonly unknown[]) => {
    if (choices.length === 0 || left <= 0 || !stream.chance(chance)) return false
    left--
    return true
  }
  return {
    step: (step) => {
      if (!strikes(steps, fates)) return deliver
      const fate = steps.pick(fates)
      return fate.do === 'answer' && fate.status === 409 && !isWrite(step) ? deliver : fate
    },
    message: () => (strikes(messages, messageFates) ? messages.pick(messageFates) : deliver),
  }
}

/** One plan until a condition holds, then another: `() => clock.monotonic() < 60_000` ends all trouble after a minute. */
export function planUntil(isStill: () => boolean, during: Plan, afterwards: Plan = peace): Plan {
  const now = () => (isStill() ? during : afterwards)
  return { step: (step) => now().step(step), message: (message) => now().message(message) }
}
