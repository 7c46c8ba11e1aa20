import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withControllerDefaults, type Controller } from '../kinds/controller.ts'
import { withNodeSetDefaults, type NodeSet } from '../kinds/node-set.ts'
import { withTokenDefaults, type Token } from '../kinds/token.ts'

const metadata = { name: 'a', namespace: 'b' }
const apiVersion = 'slinky.slurm.net/v1beta1'
const controller = (spec: Controller['spec']): Controller => ({ apiVersion, kind: 'Controller', metadata, spec })
const nodeSet = (spec: NodeSet['spec']): NodeSet => ({ apiVersion, kind: 'NodeSet', metadata, spec })

describe('defaults prevent that', () => {
  test('slurmctld never starts because nobody wrote a size for its state', () => {
    const { persistence } = withControllerDefaults(controller({})).spec
    expect(persistence).toEqual({
      enabled: true,
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '4Gi' } },
    })
  })

  test('an explicit no is overruled', () => {
    const { spec } = withNodeSetDefaults(
      nodeSet({ controllerRef: {}, replicas: 0, workloadDisruptionProtection: false }),
    )
    expect(spec).toMatchObject({ replicas: 0, workloadDisruptionProtection: false })
  })

  test('null of a chart is taken for a value', () => {
    const written = { controllerRef: { name: 'c' }, updateStrategy: null, partition: { enabled: null } } as unknown
    const { spec } = withNodeSetDefaults(nodeSet(written as NodeSet['spec']))
    expect(spec.updateStrategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%' } })
    expect(spec.partition.enabled).toBe(false)
  })

  test('null in a free-form field, which deletes something, is lost', () => {
    const slurmd = { lifecycle: null } as unknown as NonNullable<NodeSet['spec']['slurmd']>
    expect(withNodeSetDefaults(nodeSet({ controllerRef: {}, slurmd })).spec.slurmd).toBe(slurmd)
  })

  test('a block that is not there is made up', () => {
    expect(withNodeSetDefaults(nodeSet({ controllerRef: {} })).spec).not.toHaveProperty('ssh')
    expect(withControllerDefaults(controller({})).spec).not.toHaveProperty('ha')
  })

  test('elements of lists are forgotten', () => {
    const { configFileRefs } = withControllerDefaults(controller({ configFileRefs: [{}, { name: 'x' }] })).spec
    expect(configFileRefs).toEqual([{ name: '' }, { name: 'x' }])
  })

  test('an object without a spec, of an older CRD, crashes the pass', () => {
    const { spec } = withTokenDefaults({ apiVersion, kind: 'Token', metadata } as unknown as Token)
    expect(spec).toEqual({ lifetime: '15m', refresh: true })
  })
})

test('whatever is in the spec, defaults change nothing the second time, and never the object itself', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('ssh', 'replicas', 'updateStrategy', '__proto__', 'x'), fc.jsonValue()),
      (spec) => {
        const object = nodeSet(JSON.parse(JSON.stringify(spec)) as NodeSet['spec'])
        const before = JSON.stringify(object)
        const once = withNodeSetDefaults(object)
        expect(JSON.stringify(object)).toBe(before)
        expect(withNodeSetDefaults(once)).toEqual(once)
      },
    ),
  )
})
