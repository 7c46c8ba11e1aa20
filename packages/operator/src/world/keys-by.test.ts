import type { CacheReader } from '@slurm-operator/runtime'
import { describe, expect, test } from 'vitest'
import { keysBy, type Named } from './keys-by.ts'
import { podOwners } from './pod-owners.ts'

const named = (name: string, labels: Readonly<Record<string, string>> = {}): Named => ({
  metadata: { name, namespace: 'hpc', labels },
})
const cache = {
  get: ({ name }: { readonly name: string }) => (name === 'prod' ? named('prod') : undefined),
  by: (index: string, value: string) => (index === 'secret' && value === 'hpc/keys' ? [named('prod')] : []),
} as unknown as CacheReader<Named>

describe('who is woken', () => {
  test('a Secret of another namespace, or of another name, wakes nobody', () => {
    const concerned = keysBy(cache, 'secret')
    expect(concerned({ metadata: { namespace: 'hpc', name: 'keys' } })).toEqual([{ namespace: 'hpc', name: 'prod' }])
    expect(concerned({ metadata: { namespace: 'other', name: 'keys' } })).toEqual([])
    expect(concerned({ metadata: { namespace: 'hpc', name: 'other' } })).toEqual([])
  })

  test('a pod wakes the one whose daemon it runs, and no stranger of the same name', () => {
    const owners = podOwners(cache, 'slurmctld')
    const pod = (app: string, instance: string) =>
      owners(named('p', { 'app.kubernetes.io/name': app, 'app.kubernetes.io/instance': instance }))
    expect(pod('slurmctld', 'prod')).toEqual([{ namespace: 'hpc', name: 'prod' }])
    expect(pod('slurmdbd', 'prod')).toEqual([])
    expect(pod('slurmctld', 'gone')).toEqual([])
    expect(owners(named('p'))).toEqual([])
  })
})
