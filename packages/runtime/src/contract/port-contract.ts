import { isJsonList, ownValue, type JsonObject, type JsonValue, type KubeObject } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { acted, kinds, useFamily } from './children.ts'
import type { GetServer } from './gen.ts'
import { template, workload } from './workload.ts'

const { services, deployments } = kinds

/** Ports are told apart by their numbers, and people edit numbers. */
export function portContract(getServer: GetServer): void {
  const family = useFamily(getServer)
  const front = (...ports: readonly object[]) =>
    family().object(services, 'front', { spec: { selector: { app: 'x' }, ports } })
  const edit = (...operations: readonly object[]) =>
    family().of(services).patch(family().key('front'), { type: 'json', operations }, { fieldManager: 'somebody' })
  const portsOf = async () => numbersOf(await family().read(services, 'front'))
  const settle = async (wanted: KubeObject) => {
    expect(acted(await family().ensure(wanted))).toEqual(['done apply front'])
    expect(acted(await family().ensure(wanted))).toEqual([])
  }

  describe('a port whose number somebody changed', () => {
    test('stays wrong, or is refused for ever beside its own name', async () => {
      const wanted = front({ name: 'http', port: 80, targetPort: 'http' }, { name: 'metrics', port: 9090 })
      await family().ensure(wanted)
      await edit({ op: 'replace', path: '/spec/ports/0/port', value: 81 })
      expect(await portsOf()).toEqual(['http 81', 'metrics 9090'])
      await settle(wanted)
      expect(await portsOf()).toEqual(['http 80', 'metrics 9090'])
    })

    test('is the only one, and has no name', async () => {
      const wanted = front({ port: 80, targetPort: 'http' })
      await family().ensure(wanted)
      await edit({ op: 'replace', path: '/spec/ports/0/port', value: 81 })
      await settle(wanted)
      expect(await portsOf()).toEqual([' 80'])
    })

    test('takes the port of somebody else with it when it is mended', async () => {
      const wanted = front({ name: 'http', port: 80 })
      await family().ensure(wanted)
      await edit({ op: 'add', path: '/spec/ports/-', value: { name: 'theirs', port: 7000 } })
      expect(acted(await family().ensure(wanted))).toEqual([])
      await edit({ op: 'replace', path: '/spec/ports/0/port', value: 81 })
      await settle(wanted)
      expect((await portsOf()).sort()).toEqual(['http 80', 'theirs 7000'])
    })

    test('cannot get another number from us any more', async () => {
      await family().ensure(front({ name: 'http', port: 80 }))
      await edit({ op: 'replace', path: '/spec/ports/0/port', value: 81 })
      await settle(front({ name: 'http', port: 82 }))
      expect(await portsOf()).toEqual(['http 82'])
      await settle(front({ name: 'other', port: 83 }))
      expect(await portsOf()).toEqual(['other 83'])
    })

    test('is a port of a container', async ({ skip }) => {
      const why = getServer().whyNot(
        'validation of built-in kinds beyond names, labels, owners, finalizers and what cannot change',
      )
      skip(why !== undefined, why)
      const spec = { containers: [{ name: 'main', image: 'i', ports: [{ name: 'http', containerPort: 80 }] }] }
      const wanted = family().object(deployments, 'front', workload({ template: { ...template, spec } }))
      await family().ensure(wanted)
      const place = '/spec/template/spec/containers/0/ports/0/containerPort'
      const operations = [{ op: 'replace', path: place, value: 81 }]
      await family().of(deployments).patch(family().key('front'), { type: 'json', operations })
      await settle(wanted)
      const live = await family().read(deployments, 'front')
      const containers = [{ ports: [{ name: 'http', containerPort: 80 }] }]
      expect(live).toMatchObject({ spec: { template: { spec: { containers } } } })
    })
  })
}

/** Ports in few words: `http 80`. */
function numbersOf(service: KubeObject): string[] {
  const { spec } = service as unknown as { readonly spec: JsonObject }
  const ports = ownValue(spec, 'ports')
  return (isJsonList(ports) ? ports : []).map((port: JsonValue) => {
    const { name = '', port: number = '' } = port as Record<string, string | number | undefined>
    return `${name} ${number}`
  })
}
