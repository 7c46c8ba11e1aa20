/**
 * Make the types, resources and tables again from a real API server. Run it with `node packages/kube/generate/main.ts`.
 *
 * @module
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startApiServer } from '@slurm-operator/local'
import { createClient, type Client } from '../src/client/client.ts'
import { loadSettings } from '../src/config/load-settings.ts'
import { allSchemas, collectWanted } from './collect.ts'
import { withHeader } from './header.ts'
import { placeAll } from './names.ts'
import type { OpenApiDocument } from './openapi.ts'
import { printResources } from './print-resources.ts'
import { printApplyTable, printKindTable, printMergeTable } from './print-tables.ts'
import { printTypes } from './print-types.ts'
import { printValueTable } from './print-values.ts'
import { wanted } from './wanted.ts'
import { GENERATED, hashOfGenerator } from './why-stale.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

await using server = await startApiServer()
const client = createClient(await loadSettings({ kubeconfig: server.kubeconfig }))
const { gitVersion } = (await readJson(client, '/version')) as { readonly gitVersion: string }
writeFiles(printAll(await readDocuments(client)), gitVersion)
client.close()

async function readJson(client: Client, path: string): Promise<unknown> {
  return JSON.parse((await client.raw({ method: 'GET', path })).text)
}

async function readDocuments(client: Client): Promise<OpenApiDocument[]> {
  const paths = wanted.map(({ group, version }) => (group === '' ? `api/${version}` : `apis/${group}/${version}`))
  return Promise.all(
    ['apis', ...paths].map(async (path) => (await readJson(client, `/openapi/v3/${path}`)) as OpenApiDocument),
  )
}

function printAll(documents: readonly OpenApiDocument[]): ReadonlyMap<string, string> {
  const schemas = collectWanted(allSchemas(documents))
  const places = placeAll(schemas)
  const types = printTypes(schemas, places)
  const doors = [...types.keys()].sort().map((file) => `export type * from './${file}.ts'`)
  return new Map([
    ...types,
    ['types', doors.join('\n')],
    ['resources', printResources(documents, schemas, places)],
    ['merge-schema', printMergeTable(schemas)],
    ['apply-schema', printApplyTable(schemas)],
    ['value-schema', printValueTable(schemas)],
    ['schema-names', printKindTable(schemas)],
  ])
}

function writeFiles(files: ReadonlyMap<string, string>, kubernetes: string): void {
  const sources = hashOfGenerator()
  mkdirSync(GENERATED, { recursive: true })
  for (const old of readdirSync(GENERATED)) if (!files.has(old.replace('.ts', ''))) rmSync(join(GENERATED, old))
  for (const [name, text] of files) {
    writeFileSync(join(GENERATED, `${name}.ts`), withHeader(formatted(`${name}.ts`, text), kubernetes, sources))
  }
  console.log(`${files.size} files from Kubernetes ${kubernetes}`)
}

/** As `npm run format` would leave it, so that formatting changes nothing afterwards. */
function formatted(name: string, text: string): string {
  const program = join(ROOT, 'node_modules', '.bin', 'oxfmt')
  const result = spawnSync(program, [`--stdin-filepath=${name}`], {
    cwd: ROOT,
    input: `${text}\n`,
    encoding: 'utf8',
    timeout: 60_000,
  })
  if (result.status !== 0) throw new Error(`Cannot format ${name}: ${result.stderr}`)
  return result.stdout
}
