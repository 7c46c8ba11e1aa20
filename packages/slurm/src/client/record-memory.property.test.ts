import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ApiVersion } from '../model/api-version.ts'
import type { SlurmNode } from '../model/node.ts'
import { reader } from './listing.ts'
import { defaultLimits, readAnswer, type ReadAnswer } from './read-answer.ts'
import { RecordMemory } from './record-memory.ts'
import type { RecordReader } from './request.ts'

const plain = reader<SlurmNode>('nodes', 'nodes')
const name = fc.constantFrom('a', 'b', 'c', 'd')
const anyNode = fc.record({
  name: fc.oneof({ weight: 9, arbitrary: name }, { weight: 1, arbitrary: fc.constant(7) }),
  state: fc.subarray(['IDLE', 'DRAIN', 'DOWN']),
  reason: fc.constantFrom('', 'bad disk'),
})
const anyList = fc.record({
  nodes: fc.array(anyNode, { maxLength: 5 }),
  indent: fc.constantFrom(undefined, 2),
  version: fc.constantFrom<ApiVersion>('v0.0.42', 'v0.0.43'),
  isCutShort: fc.boolean(),
})

function readNodes(text: string, version: ApiVersion, using: RecordReader<SlurmNode>): Promise<ReadAnswer<SlurmNode>> {
  const body = (async function* () {
    yield Buffer.from(text)
  })()
  const answer = { status: 200, contentType: 'application/json', body }
  return readAnswer(answer, { version, reader: using, limits: defaultLimits })
}

describe('remembering records prevents no news:', () => {
  test('whatever came before, a list says the same as if it were the first', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyList, { maxLength: 6 }), async (lists) => {
        const remembering = { ...plain, memory: new RecordMemory<SlurmNode>() }
        for (const { nodes, indent, version, isCutShort } of lists) {
          const whole = JSON.stringify({ nodes }, null, indent)
          const text = isCutShort ? whole.slice(0, -1) : whole
          const [first, later] = await Promise.allSettled([
            readNodes(text, version, plain),
            readNodes(text, version, remembering),
          ])
          expect(later).toEqual(first)
        }
      }),
    )
  })

  test('but who did not change is not read again', async () => {
    const remembering = { ...plain, memory: new RecordMemory<SlurmNode>() }
    const list = (...states: string[]): string =>
      JSON.stringify({ nodes: states.map((state, at) => ({ name: `n${at}`, state: [state], reason: '' })) })
    const before = await readNodes(list('IDLE', 'IDLE'), 'v0.0.43', remembering)
    const after = await readNodes(list('IDLE', 'DOWN'), 'v0.0.43', remembering)
    expect(after.list.records[0]).toBe(before.list.records[0])
    expect(after.list.records[1]?.states).toEqual(['DOWN'])
  })
})
