import { expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { kinds } from '../src/kinds/all.ts'
import type { Schema } from '../src/schema/schema.ts'
import { generateFiles } from './files.ts'
import { printTable } from './print-table.ts'

const files = new Map(generateFiles().map(({ path, text }) => [path.split('/').slice(-2).join('/'), text]))

test('a field has no word for people', () => {
  const silent = Object.values(kinds).flatMap(({ kind, spec, status }) => [
    ...findSilent(spec, `${kind}.spec`),
    ...findSilent(status, `${kind}.status`),
  ])
  expect(silent).toEqual([])
})

function findSilent(schema: Schema, path: string): string[] {
  return Object.entries({ ...schema.properties, ...schema.items?.properties }).flatMap(([name, field]) => {
    const at = `${path}.${name}`
    return [...(field.description === undefined ? [at] : []), ...findSilent(field, at)]
  })
}

test('every kind has a CRD and a page, and the contents lead to it', () => {
  for (const { kind, plural, singular } of Object.values(kinds)) {
    const crd = parseDocument(files.get(`crds/${plural}.yaml`) ?? '').toJS() as { spec: { names: { kind: string } } }
    expect(crd.spec.names.kind).toBe(kind)
    expect(files.get(`reference/${singular}.md`)).toContain('## Spec')
    expect(files.get('reference/README.md')).toContain(`(${singular}.md)`)
  }
})

test('pages tell what is needed, what is usual and what is refused', () => {
  const nodeSet = files.get('reference/nodeset.md') ?? ''
  expect(nodeSet).toContain('| `controllerRef` | object | **required** |')
  expect(nodeSet).toContain('| `updateStrategy.rollingUpdate.maxUnavailable` | number or text | `25%` |')
  expect(nodeSet).toContain('| `waiting[].message` |')
  expect(nodeSet).toContain('| `spec.ssh` | sssdConfRef is missing')
})

test('a text with a bar or a line break does not break a table', () => {
  expect(printTable(['A'], [['a|b\nc<d>']])).toBe('| A |\n| --- |\n| a\\|b c&lt;d> |')
})
