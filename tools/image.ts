/**
 * `npm run image`: the operator's images as files, without a container engine.
 *
 * @module
 */
import { progressToStderr, silentProgress } from '../packages/local/src/progress/progress.ts'
import { parseImageArguments, usage, type ImageArguments } from './image/arguments.ts'
import { buildOperatorImages, gatherParts, programEntries, type BuiltImages } from './image/build-operator-images.ts'
import { writeTree } from './image/write-tree.ts'

async function main(): Promise<void> {
  const asked = parseImageArguments(process.argv.slice(2))
  if (asked.help) return void process.stdout.write(usage)
  const progress = asked.json ? silentProgress : progressToStderr()
  if (asked.tree !== undefined) return makeTree(asked, asked.tree)
  const built = await buildOperatorImages({ ...asked, progress })
  refuseDifferences(asked, built.differences)
  process.stdout.write(asked.json ? `${JSON.stringify(built)}\n` : describe(built))
}

async function makeTree(asked: ImageArguments, folder: string): Promise<void> {
  const { base, programs, differences } = await gatherParts({ ...asked, progress: silentProgress })
  refuseDifferences(asked, differences)
  writeTree([...base, ...programs.flatMap(programEntries)], folder)
}

function refuseDifferences({ locked }: ImageArguments, differences: readonly string[]): void {
  if (!locked || differences.length === 0) return
  throw new Error(`Cannot build the locked image: ${differences.join('; ')}. Update images/debian-lock.json.`)
}

function describe({ archive, bytes, images, differences }: BuiltImages): string {
  const mega = (count: number) => `${(count / 1e6).toFixed(1)} MB`
  return [
    ...images.map((image) => `${image.ref}: ${mega(image.bytes)}, of which the program ${mega(image.bundleBytes)}`),
    ...differences.map((text) => `note: ${text}`),
    `${archive}: ${mega(bytes)} in all, lists of contents beside it`,
    '',
  ].join('\n')
}

try {
  await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
