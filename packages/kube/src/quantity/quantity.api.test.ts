import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startRealServer } from '../client/real/gen.ts'
import { KubeError } from '../errors/kube-error.ts'
import { anyQuantityText } from './gen.ts'
import { parseQuantity } from './parse-quantity.ts'
import { canonicalQuantity, printQuantity } from './print-quantity.ts'
import { wholeUnits } from './quantity-units.ts'
import type { Quantity } from './quantity.ts'

const RESOURCES = ['cpu', 'memory', 'ephemeral-storage']
const CONTAINERS = 50
const PODS = 25
const seed = Number(process.env['SEED'] ?? 1)

const { client } = await startRealServer()

test(`the server prints amounts as we do (SEED=${seed})`, async () => {
  const positive = anyQuantityText.map((text) => text.replace('-', ''))
  const texts = fc.sample(positive, { seed, numRuns: PODS * CONTAINERS * RESOURCES.length })
  let compared = 0
  let rewritten = 0
  while (compared < texts.length) {
    const some = texts.slice(compared, compared + CONTAINERS * RESOURCES.length)
    const printed = await printedByServer(some)
    expect(printed.map((text) => parseQuantity(text).nanos)).toEqual(
      some.map((text) => parseQuantity(expected(text)).nanos),
    )
    // What needs no rounding the server leaves as it was written; the rest it may print, read and print again.
    const strange = printed.filter((text, index) => !forms(some[index] ?? '').includes(text))
    expect(strange).toEqual([])
    rewritten += printed.filter((text, index) => text !== some[index]).length
    compared += some.length
  }
  console.info(`quantities, SEED=${seed}: ${compared} compared, ${rewritten} of them rewritten by the server`)
})

test('the server refuses what we refuse', async () => {
  for (const text of ['', '1K', '1e', '1.2.3', '--1', '1e3Mi', '0x10', '1,5', 'NaN', '1 2']) {
    expect(() => parseQuantity(text)).toThrow('Cannot read')
    await expect(printedByServer([text]), text).rejects.toThrow(KubeError)
  }
})

const forms = (text: string) => [text, expected(text), canonicalQuantity(expected(text))]
const expected = (text: string) => printQuantity(roundUpToMilli(parseQuantity(text)))

/** In pods the server rounds further than elsewhere: up to thousandths. */
function roundUpToMilli(quantity: Quantity): Quantity {
  const milli = parseQuantity('1m')
  return { ...quantity, nanos: wholeUnits(quantity, milli) * milli.nanos }
}

interface Pod {
  readonly spec: {
    readonly containers: readonly { readonly resources: { readonly requests: Record<string, string> } }[]
  }
}

async function printedByServer(texts: readonly string[]): Promise<string[]> {
  const containers = Array.from({ length: Math.ceil(texts.length / RESOURCES.length) }, (_, index) => {
    const some = texts.slice(index * RESOURCES.length, (index + 1) * RESOURCES.length)
    return {
      name: `c${index}`,
      image: 'x',
      resources: { requests: Object.fromEntries(some.map((text, at) => [RESOURCES[at], text])) },
    }
  })
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers } })
  const path = '/api/v1/namespaces/default/pods'
  const answer = await client.raw({
    method: 'POST',
    path,
    query: { dryRun: 'All' },
    contentType: 'application/json',
    body,
  })
  const pod = JSON.parse(answer.text) as Pod
  return pod.spec.containers
    .flatMap(({ resources }) => RESOURCES.flatMap((name) => resources.requests[name] ?? []))
    .slice(0, texts.length)
}
