import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { printGoJson } from '../go-json/print-go-json.ts'
import type { JsonObject, JsonValue } from '../json/json-value.ts'
import { revisionHash, revisionName } from './revision-hash.ts'

const container = (image: string) => ({ $patch: 'replace', image, name: '', resources: {} })

// Computed by the Go operator on a real API server.
const vectors = [
  { name: 'an empty spec', count: 0, data: { spec: {} }, hash: '59c9b4d596' },
  { name: 'the first collision', count: 1, data: { spec: {} }, hash: '59c9b4d597' },
  {
    name: 'only plain fields',
    count: 0,
    data: { spec: { oversubscribeNode: false, ordinalPadding: 0 } },
    hash: '55559dc8bc',
  },
  {
    name: 'text that Go escapes, and umlauts',
    count: 0,
    hash: '7bc64f574b',
    data: {
      spec: {
        template: {
          $patch: 'replace',
          metadata: { annotations: { 'example.com/html': '<b>&amp;</b>' } },
          spec: {
            containers: null,
            nodeSelector: { b: '2', a: '1' },
            priorityClassName: 'x',
            terminationGracePeriodSeconds: 45,
          },
        },
        ssh: { $patch: 'replace', enabled: false, sssdConfRef: { name: 's', key: 'k' } },
        slurmd: container('registry.example.com/slurmd:1'),
        logfile: container('registry.example.com/logfile:1'),
        extraConf: 'Comment=a<b>&c Other=ä',
        ordinalPadding: 0,
        oversubscribeNode: false,
      },
    },
  },
]

describe('changing the operator restarts no pod, because the hash is the same', () => {
  test.each(vectors)('$name', ({ data, count, hash }) => expect(revisionHash(printGoJson(data), count)).toBe(hash))
})

test('the name of a revision fits, however long the name of its owner is', () => {
  expect(revisionName('w', '59c9b4d596')).toBe('w-59c9b4d596')
  expect(revisionName('w'.repeat(253), '59c9b4d596')).toBe(`${'w'.repeat(223)}-59c9b4d596`)
})

const compat = join(import.meta.dirname, '../../../../../shared/compat')

test('a recorded revision has another hash than we compute', async ({ skip }) => {
  skip(!existsSync(compat), 'the compatibility data is not there: shared/compat beside the clone')
  const recorded = await readRecordedRevisions()
  expect(recorded.length).toBeGreaterThanOrEqual(30)
  const wrong = recorded.filter(({ data, hash }) => revisionHash(printGoJson(data), 0) !== hash)
  expect(wrong.map(({ where }) => where)).toEqual([])
})

interface Recorded {
  readonly where: string
  readonly data: JsonValue
  readonly hash: string | undefined
}

async function readRecordedRevisions(): Promise<Recorded[]> {
  const { parseAll } = (await import(pathToFileURL(join(compat, 'lib/yaml.mjs')).href)) as {
    parseAll: (text: string) => Document[]
  }
  const folders = readdirSync(join(compat, 'cases')).map((name) => join(compat, 'cases', name))
  const cases = folders.filter((folder) => existsSync(join(folder, 'revisions.json')))
  return cases.flatMap((folder) => {
    const hashes = JSON.parse(readFileSync(join(folder, 'revisions.json'), 'utf8')) as Record<
      string,
      Record<string, string>
    >
    const files = readdirSync(folder).filter((name) => /^expected.*\.yaml$/.test(name))
    return files.flatMap((file) =>
      parseAll(readFileSync(join(folder, file), 'utf8')).flatMap((document) =>
        readRevision(document, hashes, file, folder),
      ),
    )
  })
}

interface Document {
  readonly kind: string
  readonly data: JsonObject
  readonly metadata: { readonly name: string; readonly ownerReferences?: readonly { kind: string; name: string }[] }
}

function readRevision(
  document: Document,
  hashes: Record<string, Record<string, string>>,
  file: string,
  folder: string,
): Recorded[] {
  const owner = document.metadata?.ownerReferences?.find(({ kind }) => kind === 'NodeSet')
  if (document.kind !== 'ControllerRevision' || !owner) return []
  const symbol = document.metadata.name.slice(owner.name.length + 1)
  return [
    { where: `${folder}/${file}: ${document.metadata.name}`, data: document.data, hash: hashes[owner.name]?.[symbol] },
  ]
}
