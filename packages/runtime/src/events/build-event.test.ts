import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { whyInvalidDnsSubdomain } from '@slurm-operator/kube'
import { buildEvent } from './build-event.ts'
import { cutText } from './cut-text.ts'
import { about, happening } from './gen.ts'

const report = {
  controller: 'thing-controller',
  instance: 'operator-0',
  atMs: 1_700_000_000_123.456,
  random: () => 0.5,
}

test('an Event says who, what, when and about which object', () => {
  expect(buildEvent(happening, report)).toEqual({
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: 'worker-0.60a241820224080000000', namespace: 'n' },
    eventTime: '2023-11-14T22:13:20.123456Z',
    type: 'Normal',
    reason: 'Created',
    action: 'Create',
    note: 'all is well',
    regarding: { apiVersion: 'v1', kind: 'Pod', name: 'worker-0', namespace: 'n', uid: 'u-0' },
    reportingController: 'thing-controller',
    reportingInstance: 'operator-0',
  })
})

test('an object without a namespace is told about in default', () => {
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-0' } }
  expect(buildEvent({ ...happening, regarding: node }, report)).toMatchObject({
    metadata: { namespace: 'default' },
    regarding: { kind: 'Node', name: 'node-0' },
  })
})

test('a second object comes along', () => {
  expect(buildEvent({ ...happening, related: about('other').regarding }, report).related?.name).toBe('other')
})

test('an Event without an action would be refused', () => {
  expect(buildEvent({ ...happening, action: '' }, report).action).toBe('Created')
})

describe('names', () => {
  test.each(['a', 'system:node:x', 'Über', '...', 'a.-b', 'x'.repeat(253)])('%s becomes a valid one', (name) => {
    expect(whyInvalidDnsSubdomain(buildEvent(about(name), report).metadata.name ?? '')).toBeUndefined()
  })
  test('two Events of one microsecond differ by chance', () => {
    const other = buildEvent(happening, { ...report, random: () => 0.25 })
    expect(other.metadata.name).not.toBe(buildEvent(happening, report).metadata.name)
  })
  test('any name', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.double({ min: 0, max: 0.999999, noNaN: true }),
        (name, chance) => {
          const event = buildEvent(about(name), { ...report, random: () => chance })
          expect(whyInvalidDnsSubdomain(event.metadata.name ?? '')).toBeUndefined()
        },
      ),
    )
  })
})

describe('texts that are too long', () => {
  test('are cut where the server would refuse them', () => {
    const long = { ...happening, reason: 'R'.repeat(200), action: 'A'.repeat(200), note: 'ä'.repeat(600) }
    const event = buildEvent(long, { ...report, instance: 'i'.repeat(300) })
    expect(Buffer.byteLength(event.note ?? '')).toBeLessThanOrEqual(1024)
    for (const word of [event.reason, event.action, event.reportingInstance]) {
      expect(Buffer.byteLength(word ?? '')).toBe(128)
    }
  })
  test('are cut between two characters, whatever they are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), fc.nat(60), (text, most) => {
        const cut = cutText(text, most)
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(most)
        expect(cut.isWellFormed()).toBe(true)
        const isWhole = Buffer.byteLength(text.toWellFormed()) <= most
        expect(isWhole ? cut : text.toWellFormed().startsWith(cut.replace(/…$/, ''))).toBe(
          isWhole ? text.toWellFormed() : true,
        )
      }),
    )
  })
  test('show that something was cut', () => expect(cutText('ääää', 7)).toBe('ää…'))
})
