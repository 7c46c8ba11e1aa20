/**
 * Writes src/generated from the OpenAPI documents that slurmrestd prints about itself.
 *
 *     node packages/slurm/generate/main.ts [folder with openapi-*.json]
 *
 * @module
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { hasDocuments } from './documents.ts'
import { printGenerated } from './print-generated.ts'
import { GENERATED, whyStale } from './why-stale.ts'

const BESIDE_THE_CLONE = resolve(import.meta.dirname, '../../../../shared/slurm')

const folder = process.argv[2]
if (folder === undefined && !hasDocuments(BESIDE_THE_CLONE) && whyStale() === undefined) {
  console.log(
    `Nothing written: ${BESIDE_THE_CLONE} holds no OpenAPI documents, and the types are current without them.`,
  )
} else write(resolve(folder ?? BESIDE_THE_CLONE))

function write(from: string): void {
  const files = printGenerated(from)
  mkdirSync(GENERATED, { recursive: true })
  for (const [version, text] of files) writeFileSync(`${GENERATED}/${version}.ts`, text)
  console.log(`${[...files.keys()].join(', ')} from ${from}`)
}
