import { type Change, type ConfigMap, configMapResource } from '@slurm-operator/kube'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { configMap } from '../contract/objects.ts'
import { makeLaboratory, type Laboratory } from './gen.ts'

type Act = { readonly name: string; readonly group: 'in' | 'out' | 'gone' }

const anyActs: fc.Arbitrary<Act[]> = fc.array(
  fc.record({ name: fc.constantFrom('a', 'b', 'c'), group: fc.constantFrom('in', 'out', 'gone') }),
  { maxLength: 12 },
)

async function perform({ configMaps, server }: Laboratory, { name, group }: Act): Promise<void> {
  const key = { namespace: 'default', name }
  const isThere = server.find(configMapResource, key) !== undefined
  if (group === 'gone') await (isThere ? configMaps.delete(key) : undefined)
  else if (isThere) await configMaps.patch(key, { type: 'merge', body: { metadata: { labels: { group } } } })
  else await configMaps.create(configMap('default', name, { metadata: { labels: { group } } }))
}

/** Everything that a watch tells until nothing is left to tell. */
async function tellAll(
  { configMaps, clock }: Laboratory,
  options: { readonly resourceVersion?: string; readonly initial?: boolean },
): Promise<Change<ConfigMap>[]> {
  const told: Change<ConfigMap>[] = []
  const stop = new AbortController()
  const watching = (async () => {
    for await (const change of configMaps.watch({
      namespace: 'default',
      labelSelector: 'group=in',
      ...options,
      signal: stop.signal,
    }))
      told.push(change)
  })()
  watching.catch(() => {})
  await clock.settle()
  stop.abort()
  await clock.settle()
  return told
}

const versionOf = (change: Change<ConfigMap>) => ('object' in change ? change.object.metadata.resourceVersion : '')

test('a watcher that connects again at any point sees exactly what it missed', async () => {
  await fc.assert(
    fc.asyncProperty(anyActs, async (acts) => {
      const laboratory = await makeLaboratory()
      const start = String(laboratory.server.version())
      for (const act of acts) await perform(laboratory, act)
      const whole = await tellAll(laboratory, { resourceVersion: start })
      for (const [index, change] of whole.entries()) {
        expect(await tellAll(laboratory, { resourceVersion: versionOf(change) ?? '' })).toEqual(whole.slice(index + 1))
      }
    }),
    { numRuns: 25 },
  )
})

test('initial events and later ones give what a list gives', async () => {
  await fc.assert(
    fc.asyncProperty(anyActs, anyActs, async (before, after) => {
      const laboratory = await makeLaboratory()
      for (const act of before) await perform(laboratory, act)
      const cache = new Map<string, ConfigMap>()
      const watching = (async () => {
        for await (const change of laboratory.configMaps.watch({
          namespace: 'default',
          labelSelector: 'group=in',
          initial: true,
          timeoutSeconds: 10,
        })) {
          if (change.type === 'DELETED') cache.delete(change.object.metadata.name)
          else if ('object' in change) cache.set(change.object.metadata.name, change.object)
        }
      })()
      await laboratory.clock.settle()
      for (const act of after) await perform(laboratory, act)
      await laboratory.clock.drive(watching)
      const { items } = await laboratory.configMaps.list({ namespace: 'default', labelSelector: 'group=in' })
      expect([...cache.values()].sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1))).toEqual(
        items,
      )
    }),
    { numRuns: 25 },
  )
})
