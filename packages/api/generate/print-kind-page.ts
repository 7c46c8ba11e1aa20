import { API_GROUP_VERSION } from '../src/constants.ts'
import type { KindDefinition } from '../src/kinds/kind.ts'
import type { Schema } from '../src/schema/schema.ts'
import { printFields } from './print-fields.ts'
import { printTable } from './print-table.ts'

/** The page of one kind: its fields, what is refused, and what `kubectl get` prints. */
export function printKindPage(definition: KindDefinition): string {
  const { kind, description, spec, status, rules = [] } = definition
  const told = [...rules.map(({ message }) => ['', message ?? '']), ...listRules(spec, 'spec')]
  return [
    `# ${kind}`,
    description,
    printHowToName(definition),
    '## Spec',
    printFields(spec),
    ...(told.length > 0 ? ['## What the API server refuses', printTable(['Where', 'Message'], told)] : []),
    '## Status',
    printFields(status),
    '## Columns',
    printTable(
      ['Column', 'From', 'Shown'],
      [...definition.columns.map(columnRow), ['AGE', '`.metadata.creationTimestamp`', 'always']],
    ),
  ].join('\n\n')
}

function printHowToName({ kind, plural, shortNames, scalable }: KindDefinition): string {
  const names = [plural, ...shortNames.filter((name) => name !== plural)].map((name) => `\`${name}\``)
  const scaling = scalable ? ' `kubectl scale` and autoscalers work on it.' : ''
  return `\`apiVersion: ${API_GROUP_VERSION}\`, \`kind: ${kind}\`. kubectl knows it as ${names.join(', ')}.${scaling}`
}

function columnRow({ name, jsonPath, priority = 0 }: KindDefinition['columns'][number]): string[] {
  return [name, `\`${jsonPath}\``, priority === 0 ? 'always' : 'with `-o wide`']
}

/** All rules below a schema, with their places. */
function listRules(schema: Schema, path: string): string[][] {
  const own = (schema['x-kubernetes-validations'] ?? []).map(({ message = '' }) => [`\`${path}\``, message])
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => listRules(field, `${path}.${name}`))
  return [...own, ...below]
}
