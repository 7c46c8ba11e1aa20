import {
  components,
  loginSetServiceName,
  ports,
  selectorLabels,
  type LoginSetWithDefaults,
  type SecretKeySelector,
} from '@slurm-operator/api'
import { buildControllerReference, type Service } from '@slurm-operator/kube'
import { errorsIn, missing, obstaclesOf } from '../component/obstacles.ts'
import type { Obstacle, Wish } from '../component/room.ts'
import { buildMetadata } from '../workload/build-metadata.ts'
import { buildService } from '../workload/build-service.ts'
import type { Built } from '../workload/problem.ts'
import { readSecretEntry } from '../world/entries.ts'
import type { Kept } from '../world/trim.ts'
import { buildLoginDeployment } from './build-deployment.ts'
import { buildHostKeySecret, buildSshConfigMap } from './build-ssh.ts'
import type { LoginSetFacts } from './observe.ts'

/** Host keys, sshd's configuration, the Service and the pods. */
export function buildLoginSetChildren(loginSet: Kept<LoginSetWithDefaults>, facts: LoginSetFacts): Wish {
  const lacking = findMissing(loginSet, facts)
  if (facts.controller === undefined) return { children: [], obstacles: lacking }
  const service = buildLoginService(loginSet)
  const deployment = buildLoginDeployment(loginSet, facts)
  const always = [buildHostKeySecret(loginSet, facts.hostKeys), buildSshConfigMap(loginSet)]
  const sound = [service, deployment].flatMap(({ value, problems }) => (errorsIn(problems).length === 0 ? [value] : []))
  const obstacles = [...lacking, ...obstaclesOf([...service.problems, ...deployment.problems])]
  return { children: [...always, ...sound], obstacles }
}

function buildLoginService(loginSet: Kept<LoginSetWithDefaults>): Built<Service> {
  const { metadata, spec } = loginSet
  const { namespace, name: instance } = metadata
  const common = { name: loginSetServiceName(instance), namespace, component: 'login', instance } as const
  return buildService({
    metadata: {
      ...buildMetadata({ ...common, on: 'object', resource: metadata, extra: spec.service?.metadata }),
      ownerReferences: [buildControllerReference(loginSet)],
    },
    selector: selectorLabels('login', instance),
    portName: components.login.app,
    defaultPort: ports.ssh,
    user: spec.service,
  })
}

/** The pods are made all the same where Kubernetes would wait for the Secret: then the wait can be seen there too. */
function findMissing({ metadata, spec }: Kept<LoginSetWithDefaults>, facts: LoginSetFacts): Obstacle[] {
  const { controller, slurmKey, sssdConf } = facts
  const whose = `LoginSet ${metadata.name}`
  if (controller === undefined) {
    return [{ ...missing(`Controller ${spec.controllerRef.name}`, whose), event: 'ControllerRefFailed' }]
  }
  const key = controller.spec.slurmKeyRef
  return [
    ...(key?.name && slurmKey === undefined ? missingEntry(key, whose) : []),
    ...(sssdConf && readSecretEntry(sssdConf, spec.sssdConfRef.key) ? [] : missingEntry(spec.sssdConfRef, whose)),
  ]
}

function missingEntry({ name, key, optional }: SecretKeySelector, whose: string): Obstacle[] {
  return optional === true ? [] : [missing(`Secret ${name} with the entry ${key}`, whose)]
}
