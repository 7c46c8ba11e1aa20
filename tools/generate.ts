/**
 * `npm run generate`: makes every generated file of the project again.
 *
 * @module
 */
import { spawnSync } from 'node:child_process'
import { generators } from './check/generated.ts'
import { ROOT } from './project.ts'

for (const { name, program } of generators) {
  console.log(`${name}: ${program}`)
  const { status } = spawnSync(process.execPath, [program], { cwd: ROOT, stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
