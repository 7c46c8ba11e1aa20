import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { apiVersions } from '../src/model/api-version.ts'
import { describeTypes } from './describe-types.ts'
import { readDocuments, releasesOf, schemasOf } from './documents.ts'
import { hashOfGenerator, printWithHeader } from './header.ts'
import { printVersion } from './print-version.ts'

const PROJECT = resolve(import.meta.dirname, '../../..')

/** The text of each generated file, by version. Reads the documents and writes nothing. */
export function printGenerated(folder: string): Map<string, string> {
  const documents = readDocuments(folder)
  const [releases, generator] = [releasesOf(documents), hashOfGenerator()]
  const versions = apiVersions.map((version) => ({
    version,
    types: describeTypes(schemasOf(documents, version), version),
  }))
  return new Map(
    versions.map(({ version, types }, index) => {
      const before = versions[index - 1]
      const body = printVersion({ version, types, ...(before && { before }) })
      return [version, printWithHeader(releases, generator, formatted(`${version}.ts`, body))]
    }),
  )
}

/** As `npm run format` would leave it, so that formatting changes nothing afterwards. */
function formatted(name: string, text: string): string {
  const program = resolve(PROJECT, 'node_modules/.bin/oxfmt')
  const { status, stdout, stderr } = spawnSync(program, [`--stdin-filepath=${name}`], {
    cwd: PROJECT,
    input: text,
    encoding: 'utf8',
    timeout: 60_000,
  })
  if (status !== 0) throw new Error(`Cannot format ${name}: ${stderr}`)
  return stdout
}
