/**
 * How objects are found by what they refer to. The value of an index is always `namespace/name`, because references never
 * leave a namespace.
 *
 * @module
 */
import {
  labelKeys,
  type Accounting,
  type Cluster,
  type Controller,
  type LoginSet,
  type NodeSet,
  type Token,
} from '@slurm-operator/api'
import type { OwnerReference } from '@slurm-operator/kube'

interface Named {
  readonly metadata: { readonly namespace?: string; readonly ownerReferences?: readonly OwnerReference[] }
}

interface Labelled {
  readonly metadata: { readonly namespace?: string; readonly labels?: Readonly<Record<string, string>> }
}

/** The value of the index `instance` of pods. */
export function instanceText(namespace: string, app: string, instance: string): string {
  return `${namespace}/${app}/${instance}`
}

type Ref = { readonly name?: string | undefined } | undefined

/** The value of an index for the object of this name, in the namespace of the one that refers to it. */
function refText({ metadata }: Named, ref: Ref): string[] {
  return ref?.name === undefined || ref.name === '' ? [] : [`${metadata.namespace ?? ''}/${ref.name}`]
}

const refTexts = (object: Named, refs: readonly Ref[] | null | undefined): string[] =>
  (refs ?? []).flatMap((ref) => refText(object, ref))

/** Every owner, by uid. */
const owner = ({ metadata }: Named): string[] => (metadata.ownerReferences ?? []).map(({ uid }) => uid)

const controllerSecrets = (object: Controller): string[] => {
  const { slurmKeyRef, jwtKeyRef, jwtHs256KeyRef } = object.spec
  return refTexts(object, [slurmKeyRef, jwtKeyRef, jwtHs256KeyRef])
}

const controllerConfigMaps = (object: Controller): string[] => {
  const { jwksKeyRef, configFileRefs, prologScriptRefs, epilogScriptRefs } = object.spec
  const { prologSlurmctldScriptRefs, epilogSlurmctldScriptRefs } = object.spec
  const lists = [
    configFileRefs,
    prologScriptRefs,
    epilogScriptRefs,
    prologSlurmctldScriptRefs,
    epilogSlurmctldScriptRefs,
  ]
  return [...refText(object, jwksKeyRef), ...lists.flatMap((refs) => refTexts(object, refs))]
}

const accountingSecrets = (object: Accounting): string[] => {
  const { slurmKeyRef, jwtKeyRef, jwtHs256KeyRef, storageConfig } = object.spec
  return refTexts(object, [slurmKeyRef, jwtKeyRef, jwtHs256KeyRef, storageConfig?.passwordKeyRef])
}

/** `namespace/slurmctld/name`: what belongs to one object of ours, whichever workload stands between. */
function instanceOf({ metadata }: Labelled): string[] {
  const { namespace = '', labels = {} } = metadata
  return [instanceText(namespace, labels[labelKeys.app] ?? '', labels[labelKeys.instance] ?? '')]
}

const namespaceOf = ({ metadata }: Named): string[] => [metadata.namespace ?? '']

/** The indexes of each kind: `secret` and `configMap` say who refers to one, `controller` whose part it is. */
export const indexes = {
  owner,
  controller: {
    secret: controllerSecrets,
    configMap: controllerConfigMaps,
    accounting: (object: Controller) => refText(object, object.spec.accountingRef),
    claim: (object: Controller) => refText(object, { name: object.spec.persistence?.existingClaim }),
  },
  accounting: {
    secret: accountingSecrets,
    configMap: (object: Accounting) => refText(object, object.spec.jwksKeyRef),
  },
  ofController: {
    controller: (object: Named & { readonly spec: { readonly controllerRef: Ref } }) =>
      refText(object, object.spec.controllerRef),
  },
  loginSet: {
    controller: (object: LoginSet) => refText(object, object.spec.controllerRef),
    secret: (object: LoginSet) => refText(object, object.spec.sssdConfRef),
  },
  nodeSet: {
    controller: (object: NodeSet) => refText(object, object.spec.controllerRef),
    secret: (object: NodeSet) => refText(object, object.spec.ssh?.sssdConfRef),
  },
  token: {
    secret: (object: Token) => refTexts(object, [object.spec.jwtKeyRef, object.spec.jwtHs256KeyRef]),
  },
  cluster: {
    controller: (object: Cluster) => refText(object, object.spec.controllerRef),
    secret: (object: Cluster) => refText(object, object.spec.token?.secretRef),
  },
  claim: { namespace: namespaceOf },
  revision: { namespace: namespaceOf },
  pod: {
    owner,
    instance: instanceOf,
    node: ({ spec }: { readonly spec: { readonly nodeName?: string } }) => (spec.nodeName ? [spec.nodeName] : []),
  },
} as const
