import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { createAuthority } from '../issue-certificate.ts'
import { factsOf } from '../read-certificate.ts'
import { carryOut, printKept } from './carry-out.ts'
import type { Kept, Signer } from './kept.ts'
import { usualPolicy } from './policy.ts'
import { readKept } from './read-kept.ts'

const DAY = 24 * 3600_000
const NOW = Date.UTC(2030, 0, 1)
const workshop = { commonName: 'hook', nowMs: NOW, policy: usualPolicy }
const nothing: Kept = { serving: undefined, trusted: [], signing: undefined, next: undefined, problems: [] }
const because = 'test'

async function signer(name: string, leftMs: number): Promise<Signer> {
  const pair = await createAuthority(name, { fromMs: NOW - DAY, untilMs: NOW + leftMs })
  return { ...factsOf(new X509Certificate(pair.certificate)), key: pair.key }
}

test('a certificate outlives its authority, and ends with it without notice', async () => {
  const signing = await signer('ending', 10 * DAY)
  const { serving } = await carryOut(
    [{ do: 'issue-serving', names: ['a'], because }],
    { ...nothing, signing, trusted: [signing] },
    workshop,
  )
  expect(serving?.untilMs).toBe(signing.untilMs)
})

test('what is written is not what is read', async () => {
  const steps = [
    { do: 'create-authority', as: 'signing', because },
    { do: 'issue-serving', names: ['a.example', '::1'], because },
    { do: 'create-authority', as: 'next', because },
  ] as const
  const kept = await carryOut(steps, nothing, workshop)
  const printed = Object.entries(printKept(kept)).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]]))
  expect(readKept(Object.fromEntries(printed) as Record<string, string>)).toEqual(kept)
  expect(kept.serving?.signedBy).toBe(kept.signing?.fingerprint)
})

test('an authority that is dropped leaves its key behind', async () => {
  const [signing, next] = [await signer('one', DAY), await signer('other', DAY)]
  const kept = { ...nothing, signing, next, trusted: [signing, next] }
  const drop = (fingerprint: string) => carryOut([{ do: 'drop-authority', fingerprint, because }], kept, workshop)
  expect(printKept(await drop(next.fingerprint))).toMatchObject({ 'ca.key': signing.key, 'ca-next.key': undefined })
  expect(printKept(await drop(signing.fingerprint))).toMatchObject({ 'ca.key': undefined, 'ca-next.key': next.key })
})
