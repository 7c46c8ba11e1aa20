/**
 * JSON patch (RFC 6902): a list of operations on one document, each at a JSON pointer.
 *
 * @module
 */
import type { JsonValue } from '../json/json-value.ts'

/** One step of a patch. */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: JsonValue }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string }

/** All steps, in their order; either all of them work or none does. */
export type JsonPatch = readonly JsonPatchOperation[]

/** A patch that does not fit the document. */
export class JsonPatchError extends Error {
  override readonly name = 'JsonPatchError'

  constructor(operation: string, path: string, why: string) {
    super(`Cannot ${operation} ${JSON.stringify(path)} in the document: ${why}.`)
  }
}

/** The keys of a JSON pointer: `/a~1b/0` is `a/b` and `0`. */
export function readPointer(pointer: string): string[] {
  if (pointer === '') return []
  if (!pointer.startsWith('/')) throw new JsonPatchError('find', pointer, 'a path starts with "/"')
  if (/~(?![01])/.test(pointer)) throw new JsonPatchError('find', pointer, 'after "~" there must be 0 or 1')
  return pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The JSON pointer of some keys. */
export function printPointer(keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
