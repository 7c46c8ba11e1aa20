/**
 * Test data: what was recorded of the reference.
 *
 * @module
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonValue, KubeObject } from '@slurm-operator/kube'
import { parseAllDocuments } from 'yaml'
import { API_GROUP_VERSION } from '../constants.ts'

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

/** An object of ours in a recording, and the file it is in. */
export interface Recorded {
  readonly file: string
  readonly object: AnyObject
}

/** Every object of ours that cases apply or charts render. */
export function readAllRecorded(): readonly Recorded[] {
  const files = globSync(['cases/*/input.yaml', 'cases/*/step-*.yaml', 'charts/slurm/*/rendered.yaml'], { cwd: COMPAT })
  return files.sort().flatMap((file) => {
    const objects = parseAllDocuments(readFileSync(join(COMPAT, file), 'utf8')).map((one) => one.toJS() as AnyObject)
    return objects.filter(({ apiVersion }) => apiVersion === API_GROUP_VERSION).map((object) => ({ file, object }))
  })
}

/** The CRD of a kind, without texts. */
export function readCrd(kind: string): JsonValue {
  return JSON.parse(readFileSync(join(COMPAT, 'crds', `${kind.toLowerCase()}.json`), 'utf8')) as JsonValue
}
