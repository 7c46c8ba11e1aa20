import { equalJson } from '../json/equal-json.ts'
import { isJsonList, isJsonObject, ownEntries, ownValue, withoutKeys, type JsonValue } from '../json/json-value.ts'
import { JsonPatchError, readPointer, type JsonPatch, type JsonPatchOperation } from './json-patch.ts'

/** The document after all steps; the argument is not changed. Throws a `JsonPatchError` at the first failing step. */
export function applyJsonPatch(document: JsonValue, patch: JsonPatch): JsonValue {
  return patch.reduce((before, operation) => applyOperation(before, operation), document)
}

function applyOperation(document: JsonValue, operation: JsonPatchOperation): JsonValue {
  const { op, path } = operation
  switch (op) {
    case 'add':
      return change(document, path, { op, value: operation.value })
    case 'replace':
      return change(document, path, { op, value: operation.value })
    case 'remove':
      return change(document, path, { op })
    case 'copy':
      return change(document, path, { op: 'add', value: readValue(document, operation.from) })
    case 'move':
      return move(document, operation.from, path)
    case 'test':
      if (equalJson(readValue(document, path), operation.value)) return document
      throw new JsonPatchError('test', path, `it is not ${JSON.stringify(operation.value)}`)
  }
}

function move(document: JsonValue, from: string, path: string): JsonValue {
  if (path.startsWith(`${from}/`)) throw new JsonPatchError('move', from, 'it cannot become a part of itself')
  const value = readValue(document, from)
  return from === path ? document : change(change(document, from, { op: 'remove' }), path, { op: 'add', value })
}

function readValue(document: JsonValue, path: string): JsonValue {
  let value = document
  for (const key of readPointer(path)) {
    const inner = isJsonList(value)
      ? value[existingIndex(value, key, path)]
      : isJsonObject(value)
        ? ownValue(value, key)
        : undefined
    if (inner === undefined) throw new JsonPatchError('read', path, 'it is not there')
    value = inner
  }
  return value
}

type Change = { readonly op: 'add' | 'replace'; readonly value: JsonValue } | { readonly op: 'remove' }

function change(document: JsonValue, path: string, step: Change): JsonValue {
  const keys = readPointer(path)
  if (keys.length > 0) return changeInside(document, keys, path, step)
  if (step.op === 'remove') throw new JsonPatchError('remove', path, 'a document cannot be removed')
  return step.value
}

function changeInside(
  parent: JsonValue,
  [key = '', ...rest]: readonly string[],
  path: string,
  step: Change,
): JsonValue {
  if (rest.length === 0) return changeChild(parent, key, path, step)
  if (isJsonList(parent)) {
    const index = existingIndex(parent, key, path)
    return parent.with(index, changeInside(parent[index] ?? null, rest, path, step))
  }
  const child = isJsonObject(parent) ? ownValue(parent, key) : undefined
  if (!isJsonObject(parent) || child === undefined)
    throw new JsonPatchError(step.op, path, `${JSON.stringify(key)} is not there`)
  return { ...parent, [key]: changeInside(child, rest, path, step) }
}

function changeChild(parent: JsonValue, key: string, path: string, step: Change): JsonValue {
  if (isJsonList(parent)) return changeElement(parent, key, path, step)
  if (!isJsonObject(parent)) throw new JsonPatchError(step.op, path, 'its parent is neither a map nor a list')
  if (step.op !== 'add' && ownValue(parent, key) === undefined)
    throw new JsonPatchError(step.op, path, 'it is not there')
  return step.op === 'remove'
    ? withoutKeys(parent, [key])
    : Object.fromEntries([...ownEntries(parent), [key, step.value]])
}

function changeElement(list: readonly JsonValue[], key: string, path: string, step: Change): JsonValue {
  if (step.op === 'add') {
    const index = key === '-' ? list.length : readIndex(key, path)
    if (index > list.length) throw new JsonPatchError('add', path, `the list is only ${list.length} long`)
    return list.toSpliced(index, 0, step.value)
  }
  const index = existingIndex(list, key, path)
  return step.op === 'remove' ? list.toSpliced(index, 1) : list.with(index, step.value)
}

function existingIndex(list: readonly JsonValue[], key: string, path: string): number {
  const index = readIndex(key, path)
  if (index >= list.length) throw new JsonPatchError('find', path, `the list is only ${list.length} long`)
  return index
}

function readIndex(key: string, path: string): number {
  if (!/^(0|[1-9][0-9]*)$/.test(key))
    throw new JsonPatchError('find', path, `${JSON.stringify(key)} is not a place in a list`)
  return Number(key)
}
