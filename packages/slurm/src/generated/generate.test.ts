import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { describeTypes } from '../../generate/describe-types.ts'
import { printWithHeader, readHeader } from '../../generate/header.ts'
import type { OpenApiDocument } from '../../generate/openapi.ts'
import { printGenerated } from '../../generate/print-generated.ts'
import { printVersion } from '../../generate/print-version.ts'
import { mergeSchemas, reachableSchemas } from '../../generate/reachable.ts'
import { whyFileStale, whyStale } from '../../generate/why-stale.ts'

const DOCUMENTS = resolve(import.meta.dirname, '../../../../../shared/slurm')

describe('the generated types', () => {
  test('are what the generator would write today', () => expect(whyStale()).toBeUndefined())

  test('are what the documents of slurmrestd say', ({ skip }) => {
    skip(!existsSync(DOCUMENTS), 'the OpenAPI documents are not beside the clone, in ../shared/slurm')
    for (const [version, text] of printGenerated(DOCUMENTS)) {
      expect(readFileSync(`${import.meta.dirname}/${version}.ts`, 'utf8'), version).toBe(text)
    }
  })

  test('cannot be asked for without the documents, and the message says what to do', () => {
    expect(() => printGenerated('/nowhere')).toThrow(
      /^Cannot read the OpenAPI documents in \/nowhere: .*Give the folder/,
    )
  })
})

describe('a stale file is noticed', () => {
  const file = printWithHeader('Slurm-1', 'abc', 'export type A = 1\n')
  test('not when it is current', () => expect(whyFileStale(file, 'abc')).toBeUndefined())
  test('after a change of the generator', () =>
    expect(whyFileStale(file, 'abd')).toMatch(/was made by an older generator/))
  test('after a change by hand', () => expect(whyFileStale(`${file}// mine\n`, 'abc')).toMatch(/changed by hand/))
  test('without a header', () => expect(whyFileStale('export {}', 'abc')).toMatch(/no header/))
  test('and the header says where it comes from', () => expect(readHeader(file)?.documents).toBe('Slurm-1'))
})

describe('a small document', () => {
  const json = (schema: object) => ({ content: { 'application/json': { schema } } })
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  const document = (version: string, words: string[]): OpenApiDocument => ({
    info: { version: 'Slurm-1' },
    paths: { [`/slurm/${version}/nodes/`]: { get: { responses: { '200': json(ref(`${version}_resp`)) } } } },
    components: {
      schemas: {
        [`${version}_resp`]: { type: 'object', properties: { nodes: ref(`${version}_nodes`) }, required: ['nodes'] },
        [`${version}_nodes`]: { type: 'array', items: ref(`${version}_node`) },
        [`${version}_node`]: {
          type: 'object',
          properties: { name: { type: 'string' }, state: { type: 'array', items: { type: 'string', enum: words } } },
        },
        [`${version}_unused`]: { type: 'object', properties: { secret: { type: 'string' } } },
      },
    },
  })
  const typesOf = (version: string, words: string[]) => ({
    version,
    types: describeTypes(reachableSchemas(document(version, words), version), version),
  })
  const lines = (text: string) => text.split(/\s+/).join(' ').trim()
  const first = typesOf('v0.0.42', ['IDLE', 'DOWN'])

  test('becomes types of what our calls reach, and of nothing else', () => {
    expect(lines(printVersion(first))).toBe(
      "export interface V42 { readonly Resp: { readonly nodes: readonly V42['Node'][] } " +
        "readonly NodeState: 'IDLE' | 'DOWN' " +
        "readonly Node: { readonly name?: string readonly state?: readonly V42['NodeState'][] } }",
    )
  })

  test('says nothing again when the next version is the same', () => {
    const next = printVersion({ ...typesOf('v0.0.43', ['IDLE', 'DOWN']), before: first })
    expect(lines(next)).toBe("import type { V42 } from './v0.0.42.ts' export interface V43 extends V42 { }")
  })

  test('says only what is different, with all that refers to it', () => {
    const next = printVersion({ ...typesOf('v0.0.43', ['IDLE', 'MIXED']), before: first })
    expect(lines(next)).toBe(
      "import type { V42 } from './v0.0.42.ts' export interface V43 extends Omit<V42, 'Resp' | 'NodeState' | 'Node'> { " +
        "readonly Resp: Omit<V42['Resp'], 'nodes'> & { readonly nodes: readonly V43['Node'][] } " +
        "readonly NodeState: Exclude<V42['NodeState'], 'DOWN'> | 'MIXED' " +
        "readonly Node: Omit<V42['Node'], 'state'> & { readonly state?: readonly V43['NodeState'][] } }",
    )
  })

  test('of two daemons has room for the words and fields of both', () => {
    const merged = mergeSchemas(
      { type: 'object', properties: { a: { type: 'string', enum: ['x'] } }, required: ['a'] },
      { type: 'object', properties: { a: { type: 'string', enum: ['y'] }, b: { type: 'number' } } },
    )
    expect(merged.properties?.['a']?.enum).toEqual(['x', 'y'])
    expect(merged.properties?.['b']).toEqual({ type: 'number' })
    expect(merged.required).toEqual([])
  })
})
