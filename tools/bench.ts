/**
 * `npm run bench -- [name] [--json FILE]`: measures, prints ratios and counts first, and writes the same as JSON.
 *
 * @module
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeBenchmarks, parseArguments, type Wish } from '../bench/arguments.ts'
import { benchmarks } from '../bench/benchmarks.ts'
import { ensureInstalled } from './begin/install.mjs'
import { CannotBegin } from './begin/own-node.mjs'
import { exitCode } from './begin/run-program.mjs'
import { ROOT } from './project.ts'

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => interrupt(signal))

const wish = understand(process.argv.slice(2))
if (wish?.do === 'list') console.log(describeBenchmarks(benchmarks).join('\n'))
if (wish?.do === 'run') await measureOrExplain(wish)

function understand(parameters: readonly string[]): Wish | undefined {
  try {
    return parseArguments(parameters, benchmarks)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 2
    return undefined
  }
}

async function measureOrExplain(wanted: Wish & { do: 'run' }): Promise<void> {
  try {
    await measure(wanted)
  } catch (error) {
    process.exitCode ??= 1
    if (stop.signal.aborted || error instanceof CannotBegin)
      console.error(error instanceof Error ? error.message : error)
    else throw error
  }
}

/** What we compare with is no part of the project: it has a folder and a lock file of its own, filled when first used. */
async function measure({ name, sizes, jsonFile }: Wish & { do: 'run' }): Promise<void> {
  const benchmark = benchmarks[name]
  if (benchmark === undefined) return
  const say = (line: string) => console.error(line)
  const folder = join(ROOT, 'bench')
  await ensureInstalled(folder, join(folder, 'node_modules', '@kubernetes', 'client-node', 'package.json'), say)
  const { lines, figures } = await benchmark.run(sizes, { signal: stop.signal, say })
  console.log(lines.join('\n'))
  if (jsonFile !== undefined) writeFileSync(jsonFile, `${JSON.stringify(figures, undefined, 2)}\n`)
}

/** The first signal ends everything in order; a second one of the same kind ends this process, and the rest with it. */
function interrupt(signal: NodeJS.Signals): void {
  process.exitCode = exitCode(null, signal)
  stop.abort(new Error(`Stopped by ${signal}: nothing is printed, because nothing was measured to its end.`))
}
