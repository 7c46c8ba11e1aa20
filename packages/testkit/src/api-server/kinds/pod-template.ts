import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from '@slurm-operator/kube'
import { mapAt, textOf } from '../objects/api-object.ts'
import { causes, type Cause } from '../objects/failure.ts'
import { inOneForm } from './one-form.ts'

/** A pod spec as it is stored, in a pod or in a template: with its defaults, and amounts in one form. */
export function fillPodSpec(given: JsonObject): JsonObject {
  const spec = inOneForm(given)
  return {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
    ...spec,
    ...(isJsonList(spec['containers']) && { containers: spec['containers'].map(fillContainer) }),
    ...(isJsonList(spec['initContainers']) && { initContainers: spec['initContainers'].map(fillContainer) }),
  }
}

/** A workload with the defaults of its pod template. */
export function fillTemplate(spec: JsonObject): JsonObject {
  const template = mapAt(spec, 'template')
  return { ...spec, template: { ...template, spec: fillPodSpec(mapAt(template, 'spec')) } }
}

function fillContainer(container: JsonValue): JsonValue {
  if (!isJsonObject(container)) return container
  return {
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: pullPolicyFor(container['image']),
    ...container,
    ...(isJsonList(container['ports']) && { ports: container['ports'].map(fillPort) }),
    ...fillProbes(container),
  }
}

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe']
const PROBE = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 }

function fillProbes(container: JsonObject): JsonObject {
  const probes = PROBES.flatMap((name) => {
    const probe = container[name]
    return isJsonObject(probe) ? [[name, fillProbe(probe)] as const] : []
  })
  return Object.fromEntries(probes)
}

function fillProbe(probe: JsonObject): JsonObject {
  const { httpGet } = probe
  const filled = fillZeros(probe, PROBE)
  return isJsonObject(httpGet) ? { ...filled, httpGet: fillZeros(httpGet, { path: '/', scheme: 'HTTP' }) } : filled
}

/** A server that is written in Go cannot tell zero from nothing. */
function fillZeros(map: JsonObject, defaults: JsonObject): JsonObject {
  const missing = Object.entries(defaults).filter(([name]) => [undefined, null, 0, ''].includes(map[name] as never))
  return { ...map, ...Object.fromEntries(missing) }
}

function pullPolicyFor(image: JsonValue | undefined): string {
  const name = typeof image === 'string' ? image : ''
  const tag = /:([^:/@]+)$/.exec(name)?.[1]
  return name.includes('@') || (tag !== undefined && tag !== 'latest') ? 'IfNotPresent' : 'Always'
}

function fillPort(port: JsonValue): JsonValue {
  return isJsonObject(port) ? { protocol: 'TCP', ...port } : port
}

/** A pod needs a container, and a container a name of its own and an image. */
export function validateContainers(spec: JsonObject, path: string): Cause[] {
  const { containers, initContainers } = spec
  if (!isJsonList(containers) || containers.length === 0) return [causes.required(`${path}.containers`)]
  const seen = new Set<string>()
  const validate = (field: string) => (container: JsonValue, index: number) => {
    const { name, image } = mapAt(container)
    const at = `${path}.${field}[${index}]`
    const isTwice = seen.has(textOf(name))
    seen.add(textOf(name))
    return [
      ...(textOf(name) === '' ? [causes.required(`${at}.name`)] : []),
      ...(isTwice ? [causes.duplicate(`${at}.name`, name)] : []),
      ...(textOf(image) === '' ? [causes.required(`${at}.image`)] : []),
    ]
  }
  const early = isJsonList(initContainers) ? initContainers.flatMap(validate('initContainers')) : []
  return [...containers.flatMap(validate('containers')), ...early]
}
