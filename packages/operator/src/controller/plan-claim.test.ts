import type { PersistenceSpec } from '@slurm-operator/api'
import type { PersistentVolumeClaim } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import type { Kept } from '../world/trim.ts'
import { anObject, NAMESPACE } from './gen.ts'
import { stored } from '../testing/still-server.ts'
import { planClaim } from './plan-claim.ts'

const wants = (storage: string, more: Partial<PersistenceSpec> = {}): PersistenceSpec => ({
  enabled: true,
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage } },
  ...more,
})

const claim = stored(
  anObject('PersistentVolumeClaim', 'statesave-prod-controller-0', {
    spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'fast', resources: { requests: { storage: '4Gi' } } },
  }),
  NAMESPACE,
) as unknown as Kept<PersistentVolumeClaim>

describe('a claim that exists', () => {
  test.each([
    { name: 'is not grown', persistence: wants('8Gi'), plan: { do: 'grow', to: '8Gi' } },
    {
      name: 'is written again for another spelling of its size',
      persistence: wants('4096Mi'),
      plan: { do: 'nothing' },
    },
    {
      name: 'is asked to shrink',
      persistence: wants('1Gi'),
      plan: { do: 'tell', because: expect.stringContaining('cannot shrink') },
    },
    {
      name: 'is asked for another class',
      persistence: wants('8Gi', { storageClassName: 'slow' }),
      plan: { do: 'tell', because: expect.stringContaining('StorageClass fast') },
    },
    {
      name: 'is asked for another mode',
      persistence: wants('8Gi', { accessModes: ['ReadWriteMany'] }),
      plan: { do: 'tell', because: expect.stringContaining('access modes') },
    },
  ])('$name', ({ persistence, plan }) => expect(planClaim(persistence, claim)).toEqual(plan))

  test('does not exist yet', () => expect(planClaim(wants('8Gi'), undefined)).toEqual({ do: 'nothing' }))
})
