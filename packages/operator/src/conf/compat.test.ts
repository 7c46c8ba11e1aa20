import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { clusterNameOf, slurmNodeSetName } from '@slurm-operator/api'
import { expect, test } from 'vitest'
import { buildSlurmConf, type AccountingAddress, type ManagedInput } from './build-slurm-conf.ts'
import type { NodeSetLine } from './partition-lines.ts'

interface Document {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly data?: Readonly<Record<string, string>>
  // oxlint-disable-next-line typescript/no-explicit-any -- recorded resources, read as they are
  readonly spec?: any
}

const folder = join(import.meta.dirname, '../../../../../shared/compat')
const isThere = existsSync(folder)
const { parseAll } = (await import(isThere ? pathToFileURL(join(folder, 'lib/yaml.mjs')).href : 'node:path')) as {
  readonly parseAll: (text: string) => Document[]
}

/** Texts on which we differ on purpose. */
const differences: Readonly<Record<string, (text: string) => string>> = {
  'controller-extra-conf': (text) => text.replace('MaxNodeCount=1024\n', ''), // the user's alone
  'controller-extra-conf-lists': (text) => text.replace('userclaimfield=sub', 'userclaimfield=Sub'),
  'accounting-external': (text) =>
    text.replace('Host=books-accounting\n', 'Host=dbd.example.com\n').replace('Port=6819', 'Port=7819'),
}

test('slurm.conf of all recorded states equals the recorded one (../shared/compat)', ({ skip }) => {
  skip(!isThere, 'the recorded cases are not beside the clone')
  const states = readdirSync(join(folder, 'cases')).flatMap((name) => readStates(name))
  const compared = states.flatMap(({ name, documents, files }) =>
    documents
      .filter(({ kind, data }) => kind === 'ConfigMap' && data?.['slurm.conf'] !== undefined)
      .map((map) => ({
        name,
        recorded: map.data?.['slurm.conf'] ?? '',
        controller: ownerOf(map, documents),
        documents,
        files,
      })),
  )
  for (const { name, recorded, controller, documents, files } of compared) {
    const { text } = buildSlurmConf(inputOf(name, controller, documents, files))
    expect(text, name).toBe((differences[name] ?? ((same) => same))(recorded))
  }
  expect(compared.length).toBeGreaterThan(80)
})

function readStates(name: string) {
  const read = (file: string) => parseAll(readFileSync(join(folder, 'cases', name, file), 'utf8'))
  const all = readdirSync(join(folder, 'cases', name))
  const inputs = all.filter((file) => /^(input|step-\d+)\.yaml$/u.test(file)).flatMap(read)
  const expected = all.filter((file) => /^expected(-\d+)?\.yaml$/u.test(file))
  return expected.map((file) => ({ name, documents: read(file), files: inputs }))
}

function ownerOf(map: Document, documents: readonly Document[]): Document {
  const name = map.metadata.name.replace(/-config$/u, '')
  const found = documents.find((each) => each.kind === 'Controller' && each.metadata.name === name)
  if (!found) throw new Error(`Cannot find the Controller ${name}`)
  return found
}

function inputOf(namespace: string, controller: Document, documents: readonly Document[], files: readonly Document[]) {
  const { spec, metadata } = controller
  const clusterName = clusterNameOf({ metadata: { ...metadata, namespace }, spec })
  const accounting = accountingOf(spec.accountingRef?.name, documents)
  if (spec.external) return { kind: 'external', clusterName, ...spec.externalConfig, accounting } as const
  const replicas = spec.ha?.enabled ? 1 + (spec.ha.backups ?? 1) : 1
  const scriptsOf = (refs: readonly { name: string }[] | undefined) =>
    (refs ?? []).flatMap(({ name }) =>
      files
        .filter((each) => each.kind === 'ConfigMap' && each.metadata.name === name)
        .flatMap((each) => Object.keys(each.data ?? {})),
    )
  return {
    kind: 'managed',
    clusterName,
    hosts: Array.from({ length: replicas }, (_, index) => hostOf(`${metadata.name}-controller`, index, namespace)),
    address: `${metadata.name}-controller.${namespace}`,
    accounting,
    hasJwks: spec.jwksKeyRef !== undefined,
    hasMetrics: spec.metrics?.enabled === true,
    scripts: {
      prolog: scriptsOf(spec.prologScriptRefs),
      epilog: scriptsOf(spec.epilogScriptRefs),
      prologSlurmctld: scriptsOf(spec.prologSlurmctldScriptRefs),
      epilogSlurmctld: scriptsOf(spec.epilogSlurmctldScriptRefs),
    },
    nodeSets: documents
      .filter(({ kind, spec }) => kind === 'NodeSet' && spec.controllerRef.name === metadata.name)
      .map(lineOf),
    extraConf: spec.extraConf,
  } satisfies ManagedInput
}

function hostOf(name: string, index: number, namespace: string) {
  return { name: `${name}-${index}`, address: `${name}-${index}.${name}-internal.${namespace}` }
}

function accountingOf(name: string | undefined, documents: readonly Document[]): AccountingAddress | undefined {
  const found = documents.find((each) => each.kind === 'Accounting' && each.metadata.name === name)
  if (!found) return undefined
  return found.spec.external ? found.spec.externalConfig : { host: `${name}-accounting`, port: 6819 }
}

function lineOf({ metadata, spec }: Document): NodeSetLine {
  const partition = spec.partition?.enabled ? { config: spec.partition.config } : undefined
  return { name: metadata.name, slurmName: slurmNodeSetName({ metadata, spec }), partition }
}
