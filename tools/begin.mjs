/**
 * The first file of `npm start`, `npm stop` and `npm test`. It runs on Node 20 with nothing installed, brings the npm
 * packages along, our own Node among them, and goes on with that.
 *
 * @module
 */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureInstalled } from './begin/install.mjs'
import { CannotBegin, ownNode } from './begin/own-node.mjs'
import { programs } from './begin/programs.mjs'
import { runProgram } from './begin/run-program.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [command = '', ...parameters] = process.argv.slice(2)

try {
  process.exitCode = await begin()
} catch (error) {
  if (!(error instanceof CannotBegin)) throw error
  console.error(error.message)
  process.exitCode = 1
}

async function begin() {
  const program = new Map(Object.entries(programs)).get(command)
  if (program === undefined) throw new CannotBegin(whyUnknown())
  const node = ownNode(root)
  await ensureInstalled(root, node, (line) => console.error(line))
  return runProgram(node, [join(root, program), ...parameters])
}

function whyUnknown() {
  return `Cannot begin "${command}": it is not a command. Say one of: ${Object.keys(programs).join(', ')}.`
}
