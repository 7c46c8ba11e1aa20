import { paths, ports, users } from '@slurm-operator/api'
import { assembleConf, type ConfFile } from './assemble-conf.ts'
import { authAltParameters } from './auth-alt-parameters.ts'
import { readExtraConf } from './extra-conf.ts'
import { listKnownNodes } from './known-nodes.ts'
import { deriveMaxNodeCount } from './max-node-count.ts'
import { partitionNames, writeExtraLines, writeNodeSets, type NodeSetLine } from './partition-lines.ts'
import { setting, writeConf, type Setting, type SettingSection } from './write-conf.ts'

/** Where slurmdbd is. */
export interface AccountingAddress {
  readonly host: string
  readonly port: number
}

/** Files in the config folder that Slurm runs, by when it does. */
export interface ScriptFiles {
  readonly prologSlurmctld?: readonly string[]
  readonly epilogSlurmctld?: readonly string[]
  readonly prolog?: readonly string[]
  readonly epilog?: readonly string[]
}

/** A slurmctld of ours. */
export interface ManagedInput {
  readonly kind: 'managed'
  readonly clusterName: string
  /** All slurmctld, the primary first. */
  readonly hosts: readonly { readonly name: string; readonly address: string }[]
  /** The front Service, which daemons connect to. */
  readonly address: string
  readonly port?: number
  /** Undefined: jobs are not accounted. */
  readonly accounting?: AccountingAddress | undefined
  readonly hasJwks?: boolean
  readonly hasMetrics?: boolean
  readonly scripts?: ScriptFiles
  readonly nodeSets?: readonly NodeSetLine[]
  /** Of all NodeSets together. */
  readonly wantedWorkers?: number
  readonly extraConf?: string | null | undefined
}

/** A slurmctld outside of Kubernetes: only slurmrestd reads the file, and slurmctld has its own. */
export interface ExternalInput {
  readonly kind: 'external'
  readonly clusterName: string
  readonly host: string
  readonly port: number
  readonly accounting?: AccountingAddress | undefined
}

/** The whole slurm.conf. */
export function buildSlurmConf(input: ManagedInput | ExternalInput): ConfFile {
  return input.kind === 'external' ? buildExternal(input) : buildManaged(input)
}

function buildExternal({ clusterName, host, port, accounting }: ExternalInput): ConfFile {
  const { value: text, problems } = writeConf([
    {
      banner: 'GENERAL',
      settings: [
        setting('ClusterName', clusterName, 'spec.clusterName'),
        setting('SlurmUser', users.slurm.name),
        setting('SlurmctldHost', host, 'spec.externalConfig.host'),
        setting('SlurmctldPort', port, 'spec.externalConfig.port'),
      ],
    },
    { banner: 'PLUGINS & PARAMETERS', settings: authSettings },
    accountingSection(accounting),
  ])
  return { text, problems }
}

function buildManaged(input: ManagedInput): ConfFile {
  const nodeSets = input.nodeSets ?? []
  const extra = readExtraConf(input.extraConf, EXTRA_CONF)
  const slurmNames = nodeSets.map(({ slurmName }) => slurmName)
  const known = listKnownNodes(slurmNames, extra.lines)
  const lines = writeNodeSets(nodeSets, known)
  const theirs = writeExtraLines(extra.lines, partitionNames(nodeSets), known, EXTRA_CONF)
  const lists = listParameters(input)
  const { text, problems } = assembleConf({
    ours: ourSections(input, lists),
    lists,
    more: [{ banner: 'NODESET & PARTITION', text: lines.value.join('\n') }],
    extra: { ...extra, text: theirs.value },
  })
  return { text, problems: [...problems, ...lines.problems, ...theirs.problems] }
}

const EXTRA_CONF = 'spec.extraConf'

function ourSections(input: ManagedInput, lists: readonly Setting[]): SettingSection[] {
  const { prologSlurmctld, epilogSlurmctld, prolog, epilog } = input.scripts ?? {}
  return [
    { banner: 'GENERAL', settings: generalSettings(input) },
    { banner: 'LOGGING', settings: logSettings },
    {
      banner: 'PLUGINS & PARAMETERS',
      settings: [
        ...authSettings,
        ...lists,
        ...(input.hasMetrics ? [setting('MetricsType', 'metrics/openmetrics')] : []),
      ],
    },
    accountingSection(input.accounting),
    {
      banner: 'SLURMCTLD PROLOG & EPILOG',
      settings: [
        ...scriptSettings('PrologSlurmctld', prologSlurmctld, `${paths.config}/`),
        ...scriptSettings('EpilogSlurmctld', epilogSlurmctld, `${paths.config}/`),
      ],
    },
    {
      banner: 'PROLOG & EPILOG', // workers get these files from slurmctld, so they have no folder
      settings: [...scriptSettings('Prolog', prolog, ''), ...scriptSettings('Epilog', epilog, '')],
    },
  ]
}

function generalSettings({ clusterName, hosts, address, port, wantedWorkers }: ManagedInput): Setting[] {
  return [
    setting('ClusterName', clusterName, 'spec.clusterName'),
    setting('SlurmUser', users.slurm.name),
    ...hosts.map((host) => setting('SlurmctldHost', `${host.name}(${host.address})`)),
    setting('SlurmctldPort', port ?? ports.slurmctld),
    setting('SlurmctldAddr', address),
    setting('StateSaveLocation', `${paths.slurmctldSpool}/${clusterName}`, 'spec.clusterName'),
    setting('SlurmdUser', users.root.name),
    setting('SlurmdPort', ports.slurmd),
    setting('SlurmdSpoolDir', paths.slurmdSpool),
    setting('MaxNodeCount', deriveMaxNodeCount(wantedWorkers ?? 0)),
  ]
}

const logSettings: readonly Setting[] = [
  setting('SlurmctldLogFile', paths.slurmctldLog),
  setting('SlurmSchedLogFile', paths.slurmctldLog),
  setting('SlurmdLogFile', paths.slurmdLog),
]

const authSettings: readonly Setting[] = [
  setting('AuthType', 'auth/slurm'),
  setting('CredType', 'cred/slurm'),
  setting('AuthAltTypes', 'auth/jwt'),
]

/** Lists that users may extend. */
function listParameters({ hasJwks }: ManagedInput): Setting[] {
  return [
    authAltParameters(hasJwks),
    setting('AuthInfo', 'use_client_ids'),
    setting('SlurmctldParameters', 'enable_configless,reconfig_on_restart'),
  ]
}

function accountingSection(accounting: AccountingAddress | undefined): SettingSection {
  const settings = accounting
    ? [
        setting('AccountingStorageType', 'accounting_storage/slurmdbd'),
        setting('AccountingStorageHost', accounting.host, 'Accounting spec.externalConfig.host'),
        setting('AccountingStoragePort', accounting.port),
      ]
    : [setting('AccountingStorageType', 'accounting_storage/none')]
  return { banner: 'ACCOUNTING', settings }
}

function scriptSettings(key: string, files: readonly string[] | undefined, folder: string): Setting[] {
  return [...(files ?? [])].sort().map((file) => setting(key, `${folder}${file}`, file))
}
