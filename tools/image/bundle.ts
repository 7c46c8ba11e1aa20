/**
 * One file per program: our TypeScript and the few libraries, as one ES module that Node starts without a lookup.
 *
 * @module
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

/** A bundled program and what is in it. */
export interface Bundle {
  readonly code: Uint8Array
  /** Libraries in the bundle, sorted by name. */
  readonly libraries: readonly Library[]
}

/** An npm package in a bundle. */
export interface Library {
  readonly name: string
  readonly version: string
  readonly license: string
}

/** Young objects die in 4 MiB: the heap stays small, and passes are short enough not to notice. */
const NODE_OPTIONS = '--max-semi-space-size=4'

/** Libraries in the older module format ask for `require`, which ES modules do not have. */
const REQUIRE = `import { createRequire as _createRequire } from 'node:module'; const require = _createRequire(import.meta.url);`

/**
 * Bundle the program that starts with `entry`. Its first line makes the file itself executable, so that the image needs
 * no shell and `command: [/manager]` works as well as the image's own entry point.
 */
export async function bundleProgram(root: string, entry: string, node: string): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    minifySyntax: true, // names stay: stack traces are for people
    minifyWhitespace: true,
    legalComments: 'eof',
    banner: { js: REQUIRE },
    logLevel: 'silent',
  })
  const [output] = outputFiles
  if (output === undefined) throw new Error(`Cannot bundle ${entry}: esbuild gave no file.`)
  const code = `#!${node} ${NODE_OPTIONS}\n${withoutFirstLine(output.text)}`
  return { code: Buffer.from(code), libraries: findLibraries(root, Object.keys(metafile.inputs)) }
}

/** A program that is started from its sources may have a first line of its own. */
function withoutFirstLine(text: string): string {
  return text.startsWith('#!') ? text.slice(text.indexOf('\n') + 1) : text
}

function findLibraries(root: string, inputs: readonly string[]): Library[] {
  const folders = inputs.flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [])
  return [...new Set(folders)].toSorted().map((folder) => readLibrary(join(root, folder)))
}

function readLibrary(folder: string): Library {
  const text = readFileSync(join(folder, 'package.json'), 'utf8')
  const { name, version, license = 'NOASSERTION' } = JSON.parse(text) as Partial<Library> & Omit<Library, 'license'>
  return { name, version, license }
}
