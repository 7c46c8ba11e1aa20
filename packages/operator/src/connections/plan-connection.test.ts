import type { Cluster, Controller, RestApi } from '@slurm-operator/api'
import { Secret } from '@slurm-operator/slurm'
import { describe, expect, test } from 'vitest'
import { planConnection, type ConnectionPicture } from './plan-connection.ts'

const at = (name: string, creationTimestamp = '2026-01-01T00:00:00Z') => ({ name, namespace: 'hpc', creationTimestamp })
const apiVersion = 'slinky.slurm.net/v1beta1'
const controller: Controller = { apiVersion, kind: 'Controller', metadata: at('prod'), spec: {} }
const restApi = (name: string, created?: string, port?: number): RestApi => ({
  apiVersion,
  kind: 'RestApi',
  metadata: at(name, created),
  spec: { controllerRef: { name: 'prod' }, ...(port !== undefined && { service: { port } }) },
})
const cluster: Cluster = {
  apiVersion,
  kind: 'Cluster',
  metadata: at('prod'),
  spec: { server: 'https://slurm.example.com', token: { secretRef: { name: 't', key: 'auth-token' } } },
}
const picture = (more: Partial<ConnectionPicture>): ConnectionPicture => ({
  ...{ controller, restApis: [restApi('web')], signingKey: new Secret('k'), cluster: undefined, token: undefined },
  ...more,
})
const endpoints = (more: Partial<ConnectionPicture>) => {
  const plan = planConnection(picture(more))
  return plan.do === 'connect' ? plan.settings.endpoints : plan.do
}

describe('the connection to Slurm prevents that', () => {
  test('a second RestApi takes the connection away from the first', () => {
    const restApis = [
      restApi('b', '2026-02-01T00:00:00Z'),
      restApi('a', '2026-01-01T00:00:00Z'),
      restApi('c', '2026-02-01T00:00:00Z'),
    ]
    expect(endpoints({ restApis })).toEqual(['a', 'b', 'c'].map((name) => `http://${name}-restapi.hpc:6820`))
  })

  test('a Service with a port of its own is called at the old one', () => {
    expect(endpoints({ restApis: [restApi('web', undefined, 8080)] })).toEqual(['http://web-restapi.hpc:8080'])
  })

  test('a signing key that is away for a moment ends a connection that works', () => {
    expect(endpoints({ signingKey: undefined })).toBe('keep')
  })

  test('a RestApi that was deleted leaves a connection behind', () => {
    expect(endpoints({ restApis: [] })).toBe('remove')
    expect(endpoints({ restApis: [], controller: undefined })).toBe('remove')
  })

  test('a Slurm outside of Kubernetes needs a RestApi inside', () => {
    const external = { ...controller, spec: { external: true } }
    expect(endpoints({ restApis: [], controller: external, cluster, token: new Secret('t') })).toEqual([
      'https://slurm.example.com',
    ])
    expect(endpoints({ restApis: [], controller: undefined, cluster, token: new Secret('t') })).toEqual([
      'https://slurm.example.com',
    ])
    expect(endpoints({ restApis: [], controller: undefined, cluster })).toBe('keep')
  })

  test('a Cluster of the same name takes a managed Slurm away from its own RestApi', () => {
    expect(endpoints({ cluster, token: new Secret('t') })).toEqual(['http://web-restapi.hpc:6820'])
  })
})
