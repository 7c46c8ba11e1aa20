import type { AccountingWithDefaults } from '@slurm-operator/api'
import { errorsIn, missing, obstaclesOf } from '../component/obstacles.ts'
import type { Obstacle, Wish } from '../component/room.ts'
import { keyObstacles } from '../keys/observe-keys.ts'
import type { Kept } from '../world/trim.ts'
import { buildConfigSecret } from './build-config-secret.ts'
import { buildAccountingService } from './build-service.ts'
import { buildAccountingStatefulSet } from './build-stateful-set.ts'
import type { AccountingFacts } from './observe.ts'

type Wanted = Kept<AccountingWithDefaults>

/** Everything that an Accounting consists of; nothing at all if slurmdbd runs outside of Kubernetes. */
export function buildAccounting(accounting: Wanted, facts: AccountingFacts): Wish {
  if (accounting.spec.external) return { children: [], obstacles: [] }
  const service = buildAccountingService(accounting)
  const first: Wish = {
    children: errorsIn(service.problems).length === 0 ? [service.value] : [],
    obstacles: obstaclesOf(service.problems),
  }
  const rest = buildDaemon(accounting, facts)
  return {
    children: [...first.children, ...rest.children],
    obstacles: [...first.obstacles, ...rest.obstacles],
  }
}

function buildDaemon(accounting: Wanted, facts: AccountingFacts): Wish {
  const lost = findMissing(accounting, facts)
  if (facts.password === undefined) return { children: [], obstacles: lost }
  const config = buildConfigSecret(accounting, facts.password)
  const pods = buildAccountingStatefulSet(accounting, facts, config.value)
  const obstacles = [...lost, ...obstaclesOf([...config.problems, ...pods.problems])]
  if (errorsIn(config.problems).length > 0) return { children: [], obstacles }
  const isComplete = obstacles.length === 0
  return { children: [config.value, ...(isComplete ? [pods.value] : [])], obstacles }
}

function findMissing({ metadata, spec }: Wanted, { keys, password, jwks }: AccountingFacts): Obstacle[] {
  const whose = `Accounting ${metadata.name}`
  const { name = '', key = '' } = spec.storageConfig?.passwordKeyRef ?? {}
  const database =
    spec.storageConfig === undefined
      ? obstaclesOf([{ path: 'spec.storageConfig', problem: 'is missing: say which database slurmdbd should use.' }])
      : [missing(`Secret ${name} with the entry ${key}`, whose)]
  return [
    ...(keys === undefined ? [] : keyObstacles(keys)),
    ...(password === undefined ? database : []),
    ...findMissingJwks(spec.jwksKeyRef, jwks, whose),
  ]
}

function findMissingJwks(ref: Wanted['spec']['jwksKeyRef'], jwks: AccountingFacts['jwks'], whose: string): Obstacle[] {
  if (ref === undefined || ref.optional === true) return []
  if (jwks?.data?.[ref.key] !== undefined || jwks?.binaryData?.[ref.key] !== undefined) return []
  return [missing(`ConfigMap ${ref.name ?? ''} with the entry ${ref.key}`, whose)]
}
