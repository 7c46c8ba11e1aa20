/**
 * Test data: what was recorded of the reference.
 *
 * @module
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonValue, KubeObject } from '@slurm-operator/kube'
import { parseAllDocuments } from 'yaml'

const COMPAT = join(import.meta.dirname, '../../../../../shared/compat')

/** Why a test that needs the recordings cannot run. */
export const whyNoCompat = existsSync(COMPAT)
  ? undefined
  : 'the recordings are not beside the clone, in ../shared/compat'

/** Any object of ours. */
export interface AnyObject extends KubeObject {
  readonly spec?: unknown
  readonly status?: unknown
}

/** The objects of a recorded case. */
export function readCase(name: string, file: string): readonly AnyObject[] {
  const text = readFileSync(join(COMPAT, 'cases', name, file), 'utf8')
  return parseAllDocuments(text).map((document) => document.toJS() as AnyObject)
}

/** The CRD of a kind, without texts. */
export function readCrd(kind: string): JsonValue {
  return JSON.parse(readFileSync(join(COMPAT, 'crds', `${kind.toLowerCase()}.json`), 'utf8')) as JsonValue
}
