import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { withNodeSetDefaults, type NodeSet } from '@slurm-operator/api'
import { revisionHash } from '@slurm-operator/kube'
import { parseAllDocuments } from 'yaml'
import { describe, expect, test } from 'vitest'
import { printRevisionData } from './revisions-data.ts'

const CASES = new URL('../../../../../shared/compat/cases/', import.meta.url)

function nodeSetsIn(text: string): NodeSet[] {
  const documents = parseAllDocuments(text).map((document) => document.toJS() as NodeSet | null)
  return documents.flatMap((object) => (object?.kind === 'NodeSet' ? [object] : []))
}

/** Each NodeSet of the recorded cases with the hashes that it had, one after another. */
function recordings(): { readonly name: string; readonly nodeSet: NodeSet; readonly hashes: readonly string[] }[] {
  return readdirSync(CASES).flatMap((name) => {
    const file = new URL(`${name}/revisions.json`, CASES)
    if (!existsSync(file)) return []
    const recorded = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, string>>
    const nodeSets = nodeSetsIn(readFileSync(new URL(`${name}/input.yaml`, CASES), 'utf8'))
    return nodeSets.map((nodeSet) => ({ name, nodeSet, hashes: Object.values(recorded[nodeSet.metadata.name] ?? {}) }))
  })
}

describe('revisions prevent that', () => {
  test('a change of operators replaces every worker, because the same template has another hash', ({ skip }) => {
    skip(!existsSync(CASES), 'the recorded cases are not beside the clone')
    const different = recordings()
      .filter(({ hashes }) => hashes.length > 0)
      .flatMap(({ name, nodeSet, hashes }) => {
        const text = printRevisionData(withNodeSetDefaults(nodeSet))
        return hashes.includes(revisionHash(text, 0)) ? [] : [`${name}: ${text}`]
      })
    expect(different).toEqual([])
  })
})
