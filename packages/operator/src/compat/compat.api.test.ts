import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { hasRecordings, RECORDINGS_WANTED } from '../testing/recorded-cases.ts'
import { recordAll, run, type Recording } from './record-all.ts'
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

let recording: Recording
let compared: string[]

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as unknown
/** The list with whole entries as reasons, so that one that is never used can be told from others. */
const nameEntries = ({ allow }: { readonly allow: readonly object[] }) => ({
  allow: allow.map((entry) => ({ ...entry, reason: JSON.stringify(entry) })),
})
const refusedIn = (file: string) => {
  const documents = parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS() as object)
  const found = documents.find((document) => 'kind' in document && document.kind === 'RefusedByServer')
  return (found as { objects: string[] } | undefined)?.objects ?? []
}

describe('on the same input, the reference and ours', () => {
  beforeEach(({ skip }) => skip(!hasRecordings, RECORDINGS_WANTED))
  beforeAll(async () => {
    if (!hasRecordings) return
    recording = await recordAll()
    console.log(`all cases were recorded in ${recording.seconds} s`)
    const [server, ours] = ['server.json', 'ours.json'].map((name) => join(recording.folder, name)) as [string, string]
    writeFileSync(server, JSON.stringify({ allow: serverDiffers }))
    writeFileSync(ours, JSON.stringify(nameEntries(readJson(ALLOW) as { allow: object[] })))
    const lists = [compatFile('racy.json'), server, ours].flatMap((file) => ['--allow', file])
    const flags = ['--all', compatFile('cases'), recording.folder, '--name', 'actual', '--brief', '--unused']
    const { output } = await run([compatFile('compare.mjs'), ...flags, ...lists])
    compared = output.trimEnd().split('\n')
  })
  afterAll(() => recording?.[Symbol.dispose]())

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
    expect(hashes((name) => join(recording.folder, name, 'actual-revisions.json'))).toEqual(
      hashes((name) => compatFile(`cases/${name}/revisions.json`)),
    )
    expect(cases.length).toBeGreaterThan(20)
  })

  test('refuse the same objects by schema, but for two that work with us', () => {
    const theirs = refusedIn(compatFile('cases/schema-refusals/expected.yaml'))
    const ours = refusedIn(join(recording.folder, 'schema-refusals', 'actual.yaml'))
    expect(ours).toEqual(theirs.filter((name) => !accepted.includes(name)))
  })
})
