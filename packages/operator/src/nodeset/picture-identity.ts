/**
 * Who a worker is: its number, its names, and what Slurm calls it.
 *
 * @module
 */
import { annotationKeys, labelKeys } from '@slurm-operator/api'
import type { KubeNode, ScalingMode, Wanted } from './picture.ts'

/** A name cut into what stands before the last dash and the digits after it. */
interface NumberedName {
  readonly parent: string
  readonly ordinalText: string
  readonly ordinal: number
}

/** `foo-gpu-007` is number 7 of `foo-gpu`; undefined if no digits follow the last dash. */
export function readNumberedName(name: string): NumberedName | undefined {
  const [, parent, ordinalText] = /^(.+)-([0-9]+)$/s.exec(name) ?? []
  if (parent === undefined || ordinalText === undefined) return undefined
  const ordinal = Number(ordinalText)
  return Number.isSafeInteger(ordinal) ? { parent, ordinalText, ordinal } : undefined
}

/** The digits in a name: never fewer than the padding asks for, never cut. */
export function printOrdinal(ordinal: number, padding: number): string {
  return String(ordinal).padStart(padding, '0')
}

/** The name and host name of the worker with this number. */
export function numberedIdentity(
  wanted: Pick<Wanted, 'name' | 'ordinalPadding' | 'hostnamePrefix'>,
  ordinal: number,
): { readonly name: string; readonly hostname: string; readonly ordinalText: string } {
  const ordinalText = printOrdinal(ordinal, wanted.ordinalPadding)
  const name = `${wanted.name}-${ordinalText}`
  return { name, ordinalText, hostname: wanted.hostnamePrefix === '' ? name : `${wanted.hostnamePrefix}${ordinalText}` }
}

/** The host name of the worker on a Kube node: what its annotation says, else its name up to the first dot. */
export function daemonHostname({ name, annotations }: Pick<KubeNode, 'name' | 'annotations'>): string {
  const override = annotations[annotationKeys.hostnameOverride] ?? ''
  return override === '' ? (name.split('.', 1)[0] ?? name) : override
}

/** What decides the name of a worker in Slurm. */
interface SlurmNameFacts {
  readonly pod: string
  readonly mode: ScalingMode | undefined
  readonly hostNetwork: boolean
  readonly nodeName: string
  readonly hostname: string
}

/** slurmd calls itself after its host: on the host network that is the Kube node. */
export function slurmNameOf({ pod, mode, hostNetwork, nodeName, hostname }: SlurmNameFacts): string {
  if (mode !== 'StatefulSet') return hostname
  if (hostNetwork && nodeName !== '') return nodeName
  return hostname === '' ? pod : hostname
}

/** The scaling mode that a pod was made in; undefined without a label that says so. */
export function readMode(labels: Readonly<Record<string, string>>): ScalingMode | undefined {
  const mode = labels[labelKeys.scalingMode]
  return mode === 'StatefulSet' || mode === 'DaemonSet' ? mode : undefined
}
