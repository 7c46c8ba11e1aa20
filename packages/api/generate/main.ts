/**
 * Write the CRDs and the tables of the docs again. Run it with `node packages/api/generate/main.ts`.
 *
 * @module
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { generateFiles } from './files.ts'

const files = generateFiles()
for (const { path, text } of files) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
console.log(`${files.length} files from the schemas of our kinds`)
