import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { hasRecordings, RECORDINGS_WANTED } from '../testing/recorded-cases.ts'
import { run, startRecorder, type Recorder } from './record-all.ts'
import { compatFile } from './recordings.ts'

const ALLOW = fileURLToPath(new URL('../../../../compat/allow.json', import.meta.url))
const NEVER_USED = /^allow-list entry never used: (.*)$/

/** The API server of this test knows no service accounts, so it does not fill in their names. */
const serverDiffers = ['serviceAccount', 'serviceAccountName'].map((field) => ({
  ...{ object: 'Pod/*', path: `spec.${field}`, change: 'missing', expected: 'default' },
  reason: 'service accounts are switched off in this API server',
}))

/** What the schema of the reference refuses and ours takes. */
const accepted = ['Controller/external-without-port', 'NodeSet/ssh-without-sssd']

/**
 * As in the recordings themselves, a difference counts if it comes every time: a machine with too much to do can make
 * the operator see a Secret later than the object that refers to it.
 */
const MOST_AGAIN = 5

let recorder: Recorder
let compared: string[]

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as unknown
/** The list with whole entries as reasons, so that one that is never used can be told from others. */
const nameEntries = ({ allow }: { readonly allow: readonly object[] }) => ({
  allow: allow.map((entry) => ({ ...entry, reason: JSON.stringify(entry) })),
})
/** Compare everything that was recorded; the lines that are printed. */
const compare = async (folder: string) => {
  const [server, ours] = [join(folder, 'server.json'), join(folder, 'ours.json')]
  writeFileSync(server, JSON.stringify({ allow: serverDiffers }))
  writeFileSync(ours, JSON.stringify(nameEntries(readJson(ALLOW) as { allow: object[] })))
  const lists = [compatFile('racy.json'), server, ours].flatMap((file) => ['--allow', file])
  const flags = ['--all', compatFile('cases'), folder, '--name', 'actual', '--brief', '--unused']
  const { output } = await run([compatFile('compare.mjs'), ...flags, ...lists])
  return output.trimEnd().split('\n')
}
const casesIn = (lines: readonly string[]) => [
  ...new Set(lines.flatMap((line) => /^(\S+) expected\S*: \d+ differences/.exec(line)?.[1] ?? [])),
]
const refusedIn = (file: string) => {
  const documents = parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS() as object)
  const found = documents.find((document) => 'kind' in document && document.kind === 'RefusedByServer')
  return (found as { objects: string[] } | undefined)?.objects ?? []
}

describe('on the same input, the reference and ours', () => {
  beforeEach(({ skip }) => skip(!hasRecordings, RECORDINGS_WANTED))
  beforeAll(async () => {
    if (!hasRecordings) return
    const startedMs = performance.now()
    recorder = await startRecorder()
    await recorder.record()
    compared = await compare(recorder.folder)
    const differing = casesIn(compared)
    if (differing.length > 0 && differing.length <= MOST_AGAIN) {
      console.log(`once more: ${differing.join(', ')}`)
      await recorder.record(differing)
      compared = await compare(recorder.folder)
    }
    console.log(`all cases were recorded in ${Math.round((performance.now() - startedMs) / 1000)} s`)
  })
  afterAll(() => recorder?.[Symbol.asyncDispose]())

  test('differ in nothing but what compat/allow.json gives a reason for', () => {
    const differences = compared.filter((line) => !NEVER_USED.test(line))
    expect(differences.join('\n')).toMatch(/^\d+ files compared, 0 with differences$/)
  })

  test('differ in all that compat/allow.json says: a difference that is gone must not come back unseen', () => {
    const unused = compared.flatMap((line) => NEVER_USED.exec(line)?.[1] ?? [])
    expect(unused.filter((entry) => entry.startsWith('{'))).toEqual([])
  })

  test('give workers the same revision: no worker restarts when the operator is replaced', () => {
    const cases = readdirSync(compatFile('cases')).filter((name) =>
      existsSync(compatFile(`cases/${name}/revisions.json`)),
    )
    const hashes = (file: (name: string) => string) => cases.map((name) => [name, readJson(file(name))])
    expect(hashes((name) => join(recorder.folder, name, 'actual-revisions.json'))).toEqual(
      hashes((name) => compatFile(`cases/${name}/revisions.json`)),
    )
    expect(cases.length).toBeGreaterThan(20)
  })

  test('refuse the same objects by schema, but for two that work with us', () => {
    const theirs = refusedIn(compatFile('cases/schema-refusals/expected.yaml'))
    const ours = refusedIn(join(recorder.folder, 'schema-refusals', 'actual.yaml'))
    expect(ours).toEqual(theirs.filter((name) => !accepted.includes(name)))
  })
})
