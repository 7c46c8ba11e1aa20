import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RecordSplitter } from './split-records.ts'

/** Values full of what could confuse somebody who counts brackets and quotes. */
const tricky = fc.oneof(
  fc.constantFrom('"nodes": [', '\\', '\\"', ']', '}', '{"nodes":[1,2]}', 'ü€😀', '\\u005b', ','),
  fc.string(),
)
const anyValue = fc.letrec((again) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    tricky,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(true, false, null),
    fc.array(again('value'), { maxLength: 4 }),
    fc.dictionary(tricky, again('value'), { maxKeys: 4 }),
  ),
})).value

const anyAnswer = fc.record({
  before: fc.dictionary(tricky, anyValue, { maxKeys: 3 }),
  nodes: fc.array(anyValue, { maxLength: 8 }),
  after: fc.dictionary(tricky, anyValue, { maxKeys: 3 }),
  indent: fc.constantFrom(undefined, 2),
})

function chunksOf(text: string, cuts: readonly number[]): Uint8Array[] {
  const bytes = Buffer.from(text)
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  return places.slice(1).map((end, at) => bytes.subarray(places[at], end))
}

function split(text: string, cuts: readonly number[]): { records: unknown[]; rest: unknown } {
  const splitter = new RecordSplitter('nodes')
  const records = chunksOf(text, cuts).flatMap((chunk) => splitter.push(chunk))
  return {
    records: records.map((record) => JSON.parse(record.toString('utf8')) as unknown),
    rest: JSON.parse(splitter.end()),
  }
}

describe('cutting records out of an answer prevents that', () => {
  test('a record is lost, doubled or mixed up, wherever the chunks end', () => {
    fc.assert(
      fc.property(anyAnswer, fc.array(fc.nat(), { maxLength: 12 }), ({ before, nodes, after, indent }, cuts) => {
        delete before['nodes']
        delete after['nodes']
        const answer = { ...before, nodes, ...after }
        const { records, rest } = split(JSON.stringify(answer, null, indent), cuts)
        expect(records).toEqual(JSON.parse(JSON.stringify(nodes)))
        expect(rest).toEqual(JSON.parse(JSON.stringify({ ...answer, nodes: [] })))
      }),
    )
  })

  test('a list that is cut short counts as a short list', () => {
    fc.assert(
      fc.property(anyAnswer, fc.nat(), ({ before, nodes, after }, cut) => {
        const text = JSON.stringify({ ...before, nodes, ...after })
        const splitter = new RecordSplitter('nodes')
        splitter.push(Buffer.from(text).subarray(0, cut % Buffer.byteLength(text)))
        expect(() => splitter.end()).toThrow('before it is complete')
      }),
    )
  })

  test('a list of the same name deeper inside is taken for the one', () => {
    const text = JSON.stringify({ other: { nodes: [1, 2] }, list: [{ nodes: [3] }], nodes: [4] })
    expect(split(text, []).records).toEqual([4])
  })
})
