/**
 * `npm stop`: end everything that was started and not stopped, and say what. With `--all` the caches go too.
 *
 * @module
 */
import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { cacheFolder } from '../cache/cache.ts'
import { isAlive } from '../machine/process-id.ts'
import { endRun } from '../runs/clean-up.ts'
import { listRecords, type RunRecord } from '../runs/run-record.ts'
import { runCommand } from './run-command.ts'

await runCommand(async () => {
  const { values } = parseArgs({ options: { all: { type: 'boolean', default: false } } })
  const runs = listRecords()
  const inUse = runs.filter(isInUse)
  for (const run of runs.filter((other) => !inUse.includes(other))) {
    await endRun(run)
    console.log(`stopped ${run.id}`)
  }
  for (const { id, starter } of inUse)
    console.log(`left alone ${id}: process ${starter.pid} uses it and ends it itself`)
  if (runs.length === 0) console.log('nothing was running')
  if (values.all) removeCaches(inUse)
})

/** A run that ends with its starter belongs to that one, as long as it lives. */
function isInUse({ lifetime, starter }: RunRecord): boolean {
  return lifetime === 'starter' && isAlive(starter)
}

function removeCaches(inUse: readonly RunRecord[]): void {
  if (inUse.length > 0)
    throw new Error(
      `Cannot remove the caches: ${inUse.map(({ id }) => id).join(', ')} is in use. Stop it and call this again.`,
    )
  rmSync(cacheFolder(), { recursive: true, force: true })
  console.log(`removed ${cacheFolder()}`)
  console.log("Go's own caches stay where Go keeps them; `go clean -cache -modcache` removes them.")
}
