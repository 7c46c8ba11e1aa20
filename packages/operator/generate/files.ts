import { fileURLToPath } from 'node:url'
import { createMetrics, listMetrics, printFlagTable } from '@slurm-operator/runtime'
import { managerFlags } from '../src/programs/manager-flags.ts'
import { webhookFlags } from '../src/programs/webhook-flags.ts'
import { reasons } from '../src/reasons/reasons.ts'
import { nodeSetCasesPage } from './nodeset-cases.ts'

/** A file of the docs that is made from the sources. */
export interface GeneratedFile {
  readonly path: string
  readonly text: string
}

const folder = new URL('../../../docs/reference/', import.meta.url)
const MADE = '<!-- made by `npm run generate` -->'

/** All of them. */
export function generateFiles(): readonly GeneratedFile[] {
  return [
    file('reasons.md', reasonsPage()),
    file('flags.md', flagsPage()),
    file('metrics.md', metricsPage()),
    file('../nodeset-cases.md', nodeSetCasesPage(MADE)),
  ]
}

function file(name: string, text: string): GeneratedFile {
  return { path: fileURLToPath(new URL(name, folder)), text: `${text.trimEnd()}\n` }
}

const states = {
  ready: 'Ready',
  working: 'Reconciling',
  stalled: 'Stalled',
  unknown: 'Ready is Unknown',
} as const

function reasonsPage(): string {
  const rows = Object.entries(reasons).map(
    ([word, { kind, means, next, advice }]) => `| \`${word}\` | ${states[kind]} | ${means} | ${next} | ${advice} |`,
  )
  return `# Reasons
${MADE}

Why an object is, or is not, Ready: the reason of its conditions \`Ready\`, \`Reconciling\` and \`Stalled\`. The message names the
object, field or pod.

| reason | condition | what it means | what happens next | what you can do |
|---|---|---|---|---|
${rows.join('\n')}`
}

function flagsPage(): string {
  return `# Flags
${MADE}

One dash or two, \`--name value\` or \`--name=value\`; switches take no separate value.

## manager

${printFlagTable(managerFlags)}

## webhook

${printFlagTable(webhookFlags)}`
}

function metricsPage(): string {
  const rows = listMetrics(createMetrics()).map(
    ({ name, type, labels, help }) =>
      `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`,
  )
  return `# Metrics
${MADE}

| metric | type | labels | what it says |
|---|---|---|---|
${rows.sort().join('\n')}`
}
