import { expect, test } from 'vitest'
import { valueSchema } from './generated/value-schema.ts'

test('the value table knows what the fields of a pod hold', () => {
  const container = valueSchema['io.k8s.api.core.v1.Container']
  expect(container?.['image']).toEqual({ holds: 'one', simple: 'string' })
  expect(container?.['imagePullPolicy']?.words).toEqual(['Always', 'IfNotPresent', 'Never'])
  expect(container?.['env']).toEqual({ holds: 'list', of: 'io.k8s.api.core.v1.EnvVar' })
  expect(valueSchema['io.k8s.api.core.v1.ResourceRequirements']?.['limits']).toEqual({
    holds: 'map',
    simple: 'quantity',
  })
  expect(valueSchema['io.k8s.api.core.v1.PodSpec']?.['terminationGracePeriodSeconds']?.simple).toBe('int64')
  expect(valueSchema['io.k8s.api.core.v1.ServicePort']?.['targetPort']?.simple).toBe('int-or-string')
})

test('every type that a field leads to is in the table', () => {
  const targets = Object.values(valueSchema).flatMap((fields) => Object.values(fields).flatMap(({ of }) => of ?? []))
  expect(targets.filter((name) => valueSchema[name] === undefined)).toEqual([])
})
