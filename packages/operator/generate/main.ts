/**
 * Write the tables of the docs that come from the operator again. Run it with `npm run generate`.
 *
 * @module
 */
import { writeFileSync } from 'node:fs'
import { generateFiles } from './files.ts'

const files = generateFiles()
for (const { path, text } of files) writeFileSync(path, text)
console.log(`${files.length} pages from the flags, reasons and metrics of the operator`)
process.exit(0) // the metrics watch the event loop, which would keep us alive
