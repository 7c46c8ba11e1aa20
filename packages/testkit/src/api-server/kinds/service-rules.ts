import { equalJson, isJsonList, isJsonObject, type JsonObject, type JsonValue } from '@slurm-operator/kube'
import type { RandomSource } from '../../random/random-source.ts'
import { mapAt, textOf, withMeta, type ApiObject, type DraftObject } from '../objects/api-object.ts'
import { causes, type Cause } from '../objects/failure.ts'
import type { KindRules } from './rules.ts'

/** Services get an address. */
export const serviceRules: KindRules = {
  fill: (service) => {
    const spec = mapAt(service, 'spec')
    const ports = isJsonList(spec['ports']) ? spec['ports'].map(fillPort) : undefined
    const defaults = { type: 'ClusterIP', sessionAffinity: 'None', internalTrafficPolicy: 'Cluster' }
    return { ...service, spec: { ...defaults, ...spec, ...(ports !== undefined && { ports }) } }
  },
  begin: (service, random) => {
    const spec = mapAt(service, 'spec')
    const addresses = spec['type'] === 'ExternalName' ? {} : addressFor(spec, random)
    return { ...service, spec: { ...spec, ...addresses }, status: { loadBalancer: {} } }
  },
  keep: (service, old) => {
    const before = mapAt(old, 'spec')
    const given = Object.fromEntries(
      ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'].map((name) => [name, before[name]]),
    )
    return { ...service, spec: { ...given, ...mapAt(service, 'spec') } }
  },
  validate: (service, old) => [...whyOtherAddress(service, old), ...whyPortsClash(mapAt(service, 'spec')['ports'])],
}

function whyOtherAddress(service: DraftObject, old: ApiObject | undefined): Cause[] {
  const [now, before] = [mapAt(service, 'spec')['clusterIP'], mapAt(old, 'spec')['clusterIP']]
  return old === undefined || before === undefined || now === before
    ? []
    : [causes.invalid('spec.clusterIPs[0]', now, 'may not change once set')]
}

/** Several ports must have names, and different ones. */
function whyPortsClash(ports: JsonValue | undefined): Cause[] {
  const names = (isJsonList(ports) ? ports : []).map((port) => (isJsonObject(port) ? textOf(port['name']) : ''))
  return names.flatMap((name, index) => {
    const field = `spec.ports[${index}].name`
    if (name === '') return names.length > 1 ? [causes.required(field)] : []
    return names.indexOf(name) < index ? [causes.duplicate(field, name)] : []
  })
}

function fillPort(port: JsonValue): JsonValue {
  return isJsonObject(port) ? { protocol: 'TCP', targetPort: port['port'], ...port } : port
}

function addressFor(spec: JsonObject, random: RandomSource): JsonObject {
  const address = spec['clusterIP'] ?? `10.96.${random.below(256)}.${1 + random.below(254)}`
  return { clusterIP: address, clusterIPs: [address], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' }
}

/** Claims are protected while pods use them; whoever plays that controller takes the finalizer away. */
export const claimRules: KindRules = {
  fill: (claim) => ({ ...claim, spec: { volumeMode: 'Filesystem', ...mapAt(claim, 'spec') } }),
  begin: (claim) => {
    const finalizers = isJsonList(claim.metadata['finalizers']) ? claim.metadata['finalizers'] : []
    const all = [...new Set([...finalizers, 'kubernetes.io/pvc-protection'])]
    return { ...withMeta(claim, { finalizers: all }), status: { phase: 'Pending' } }
  },
  validate: (claim, old) => {
    if (old === undefined) return []
    const fixed = ({
      resources: _resources,
      volumeName: _name,
      volumeAttributesClassName: _class,
      ...spec
    }: JsonObject) => spec
    const isSame = equalJson(fixed(mapAt(claim, 'spec')), fixed(mapAt(old, 'spec')))
    return isSame
      ? []
      : [
          causes.forbidden(
            'spec',
            'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims',
          ),
        ]
  },
}
