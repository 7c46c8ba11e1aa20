import { describe, expect, test } from 'vitest'
import type { CertificateFacts } from '../read-certificate.ts'
import type { Kept, Serving, Signer } from './kept.ts'
import { planCertificates } from './plan.ts'
import { BACKDATE_MS, whyBadPolicy } from './policy.ts'

const DAY = 24 * 3600_000
const NOW = Date.UTC(2030, 0, 1)
const policy = { authorityLifeMs: 1000 * DAY, servingLifeMs: 90 * DAY, overlapMs: DAY }

/** A certificate by its age and what is left of its life, in days. */
function facts(fingerprint: string, age: number, left: number): CertificateFacts {
  const fromMs = NOW - age * DAY - BACKDATE_MS
  return { fingerprint, certificate: fingerprint, fromMs, untilMs: NOW + left * DAY, isAuthority: true, names: [] }
}

const signer = (name: string, age: number, left: number): Signer => ({ ...facts(name, age, left), key: 'key' })
const serving = (signedBy: string | undefined, age: number, left: number, names = ['a']): Serving => ({
  ...facts('serving', age, left),
  key: 'key',
  signedBy,
  names,
})

const nothing: Kept = { serving: undefined, trusted: [], signing: undefined, next: undefined, problems: [] }

function kept(parts: Partial<Kept>): Kept {
  const signers = [parts.signing, parts.next].flatMap((one) => (one === undefined ? [] : [one]))
  return { ...nothing, ...parts, trusted: [...signers, ...(parts.trusted ?? [])] }
}

const A = signer('A', 100, 900)
const B = signer('B', 2, 998)
const good = serving('A', 10, 80)

const accidents: readonly { name: string; kept: Kept; names?: string[]; steps: unknown[] }[] = [
  {
    name: 'the first start waits for somebody to make certificates',
    kept: nothing,
    steps: [
      { do: 'create-authority', as: 'signing' },
      { do: 'issue-serving', names: ['a'] },
    ],
  },
  { name: 'something is written although all is well', kept: kept({ signing: A, serving: good }), steps: [] },
  {
    name: 'a certificate is used until the last minute',
    kept: kept({ signing: A, serving: serving('A', 61, 29) }),
    steps: [{ do: 'issue-serving', because: 'the present one ends soon' }],
  },
  {
    name: 'a new name is not served',
    kept: kept({ signing: A, serving: good }),
    names: ['a', 'B.example'],
    steps: [{ do: 'issue-serving', names: ['a', 'b.example'] }],
  },
  {
    name: 'two versions of the operator take names from each other for ever',
    kept: kept({ signing: A, serving: serving('A', 10, 80, ['other']) }),
    steps: [{ do: 'issue-serving', names: ['a', 'other'] }],
  },
  {
    name: 'a name that nobody wants any more stays for ever',
    kept: kept({ signing: A, serving: serving('A', 61, 29, ['a', 'other']) }),
    steps: [{ do: 'issue-serving', names: ['a'] }],
  },
  {
    name: 'an authority signs certificates that outlive it',
    kept: kept({ signing: signer('A', 909, 91), serving: good }),
    steps: [{ do: 'create-authority', as: 'next' }],
  },
  {
    name: 'a new authority signs before everybody trusts it',
    kept: kept({ signing: A, next: signer('B', 0.9, 999), serving: good }),
    steps: [],
  },
  {
    name: 'a new authority that everybody trusts never signs',
    kept: kept({ signing: A, next: B, serving: good }),
    steps: [
      { do: 'promote-next' },
      { do: 'issue-serving', because: 'the present one was signed by another authority' },
    ],
  },
  {
    name: 'the old authority is dropped while a replica still presents its certificate',
    kept: kept({ signing: B, trusted: [A], serving: serving('B', 0.9, 89) }),
    steps: [],
  },
  {
    name: 'the old authority is trusted for ever',
    kept: kept({ signing: B, trusted: [A], serving: serving('B', 1.1, 89) }),
    steps: [{ do: 'drop-authority', fingerprint: 'A' }],
  },
  {
    name: 'a lost authority key ends a certificate that is still good',
    kept: kept({ trusted: [A], serving: good }),
    steps: [{ do: 'create-authority', as: 'next' }],
  },
  {
    name: 'a lost authority key blocks the next authority',
    kept: kept({ trusted: [A], next: B, serving: good }),
    steps: [{ do: 'promote-next' }, { do: 'issue-serving' }],
  },
  {
    name: 'a lost authority key lets the certificate run out',
    kept: kept({ trusted: [A], serving: serving('A', 88, 1.9) }),
    steps: [{ do: 'create-authority', as: 'signing' }, { do: 'issue-serving' }],
  },
  {
    name: 'nobody serves while the next authority becomes known, though nothing else can',
    kept: kept({ next: signer('B', 0.1, 999) }),
    steps: [{ do: 'promote-next', because: 'there is no other authority that could sign' }, { do: 'issue-serving' }],
  },
  {
    name: 'an operator that slept for years cannot help itself',
    kept: kept({ signing: signer('A', 2000, -1000), serving: serving('A', 1900, -1810) }),
    steps: [
      { do: 'create-authority', as: 'signing' },
      { do: 'issue-serving' },
      { do: 'drop-authority', fingerprint: 'A', because: 'it has ended' },
    ],
  },
  {
    name: 'a certificate that nobody trusts is presented',
    kept: kept({ signing: A, serving: serving(undefined, 10, 80) }),
    steps: [{ do: 'issue-serving' }],
  },
  {
    name: 'a certificate from the future is presented',
    kept: kept({ signing: A, serving: serving('A', -10, 80) }),
    steps: [{ do: 'issue-serving', because: 'the present one is not good at this time' }],
  },
  {
    name: 'somebody else’s certificate is taken away before ours is known',
    kept: kept({ trusted: [facts('theirs', 300, 65)], serving: serving('theirs', 300, 65) }),
    steps: [{ do: 'create-authority', as: 'next' }],
  },
]

describe('the plan prevents that', () => {
  for (const { name, kept, names = ['a'], steps } of accidents) {
    test(name, () => {
      const plan = planCertificates({ kept, names, nowMs: NOW, policy })
      expect(plan.steps).toMatchObject(steps)
      expect(plan.steps).toHaveLength(steps.length)
      expect(plan.lookAgainAtMs).toBeGreaterThan(NOW)
      expect(plan.lookAgainAtMs).toBeLessThanOrEqual(NOW + policy.overlapMs)
    })
  }
})

test('we look too late for what is due next', () => {
  const lookAgain = (state: Kept) => planCertificates({ kept: state, names: ['a'], nowMs: NOW, policy }).lookAgainAtMs
  const next = signer('B', 0.9, 999)
  expect(lookAgain(kept({ signing: A, next, serving: good }))).toBe(next.fromMs + BACKDATE_MS + DAY)
  const fresh = serving('B', 0.75, 89)
  expect(lookAgain(kept({ signing: B, trusted: [A], serving: fresh }))).toBe(fresh.fromMs + BACKDATE_MS + DAY)
})

test('a policy that cannot work is accepted', () => {
  expect(whyBadPolicy(policy)).toBeUndefined()
  expect(whyBadPolicy({ ...policy, overlapMs: 0 })).toBeDefined()
  expect(whyBadPolicy({ ...policy, overlapMs: 16 * DAY })).toBeDefined()
  expect(whyBadPolicy({ ...policy, authorityLifeMs: 180 * DAY })).toBeDefined()
})
