/**
 * Building Go programs from committed module files: the checksums in `go.sum` decide what is accepted.
 *
 * @module
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureArtefact, type Artefact } from '../cache/cache.ts'
import { withLock } from '../cache/lock.ts'
import { messageOf } from '../machine/message-of.ts'
import { run } from '../machine/run.ts'
import type { Progress } from '../progress/progress.ts'
import { unpackPackages } from './debian.ts'
import { projectFile, textsOf } from './project-files.ts'
import { DEBIAN_SUITE, GO_MINOR } from './versions.ts'

/** One program of one of the modules below `go/`. */
export interface GoProgram {
  readonly name: string
  readonly module: 'kubernetes' | 'addons' | 'helm'
  /** What to build: `./cmd/…` of the module itself or the path of a required package. */
  readonly package: string
  readonly linkFlags?: readonly string[]
  readonly usuallySeconds: number
  /** Files of the module that are compiled, besides go.mod and go.sum. */
  readonly sources?: readonly string[]
  /** What else belongs beside the program, once it is built. */
  readonly finish?: (folder: string, moduleFolder: string) => Promise<void>
}

const BUILD_TIMEOUT_MS = 40 * 60_000

/** The artefact that holds the built program under its own name. */
export function goArtefact(program: GoProgram): Artefact {
  const inModule = (path: string) => `go/${program.module}/${path}`
  return {
    name: program.name,
    madeFrom: [
      program.package,
      ...(program.linkFlags ?? []),
      ...textsOf(...['go.mod', 'go.sum', ...(program.sources ?? [])].map(inModule)),
    ],
    usuallySeconds: program.usuallySeconds,
    make: (folder, progress) => build(program, folder, progress),
  }
}

async function build(program: GoProgram, folder: string, progress: Progress): Promise<void> {
  const cwd = projectFile(`go/${program.module}`)
  const env = await goEnvironment(progress)
  // One compiler at a time: it uses all cores by itself, and what is built first is needed first.
  const onWait = () => progress.far(program.name, 'waiting for another build')
  await withLock('go build', { timeoutMs: BUILD_TIMEOUT_MS, onWait }, () =>
    compile(program, folder, { cwd, env }, progress),
  )
  await program.finish?.(folder, await moduleFolder(program, { cwd, env }))
}

interface GoPlace {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

async function compile(program: GoProgram, folder: string, place: GoPlace, progress: Progress): Promise<void> {
  const total = await fetchModules(program, place)
  let compiled = 0
  const onLine = () => progress.far(program.name, `${++compiled} of ${total} packages`)
  const flags = ['-v', '-trimpath', '-ldflags', ['-s', '-w', ...(program.linkFlags ?? [])].join(' ')]
  const command = ['go', 'build', ...flags, '-o', join(folder, program.name), program.package]
  await run(command, { ...place, timeoutMs: BUILD_TIMEOUT_MS, endsWithUs: true, onLine })
}

/** Downloads what the program needs, and no more; says how many packages are to be compiled. */
async function fetchModules({ name, package: path }: GoProgram, place: GoPlace): Promise<number> {
  const command = ['go', 'list', '-trimpath', '-deps', '-f', '{{if .Stale}}x{{end}}', path]
  try {
    const { stdout } = await run(command, { ...place, timeoutMs: BUILD_TIMEOUT_MS, endsWithUs: true })
    return stdout.split('\n').filter((line) => line === 'x').length
  } catch (cause) {
    const hint = 'Is a Go module proxy reachable (go env GOPROXY)? What is in the cache already works without it.'
    throw new Error(`Cannot get the Go modules of ${name}. ${hint}\n${messageOf(cause)}`, { cause })
  }
}

async function moduleFolder({ package: name }: GoProgram, place: GoPlace): Promise<string> {
  const { stdout } = await run(['go', 'list', '-f', '{{.Module.Dir}}', name], { ...place, timeoutMs: 60_000 })
  return stdout.trim()
}

async function goEnvironment(progress: Progress): Promise<NodeJS.ProcessEnv> {
  const settings = { CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false -mod=readonly', GOWORK: 'off', GOGC: '400' }
  const path = process.env['PATH'] ?? ''
  if (await machineGoIsNewEnough()) return { ...settings, PATH: path }
  const folder = await ensureArtefact(goToolchain, progress).catch(explainGo)
  return {
    ...settings,
    PATH: `${join(folder, goRoot, 'bin')}:${path}`,
    GOROOT: join(folder, goRoot),
    GOTOOLCHAIN: 'local',
  }
}

/** Go 1.21 and later fetch the release that a module asks for by themselves, as a module. */
async function machineGoIsNewEnough(): Promise<boolean> {
  const answer = await run(['go', 'env', 'GOVERSION'], { timeoutMs: 30_000, env: { GOTOOLCHAIN: 'local' } }).catch(
    () => undefined,
  )
  const minor = Number(/^go1\.(\d+)/.exec(answer?.stdout ?? '')?.[1] ?? 0)
  return minor >= 21
}

function explainGo(cause: unknown): never {
  const why = 'there is no Go 1.21 or newer on the PATH, and that of Debian could not be fetched'
  const advice = 'Install Go, or make the Debian mirror reachable. Programs that are in the cache need neither.'
  throw new Error(`Cannot build Kubernetes: ${why}. ${advice}\n${messageOf(cause)}`, { cause })
}

const goRoot = `usr/lib/go-1.${GO_MINOR}`
const goPackages = [`golang-1.${GO_MINOR}-go`, `golang-1.${GO_MINOR}-src`]

/** For machines without Go: Debian's own, unpacked beside everything else. */
const goToolchain: Artefact = {
  name: 'go',
  madeFrom: [DEBIAN_SUITE, ...goPackages],
  usuallySeconds: 30,
  make: async (folder) => {
    await unpackPackages(goPackages, folder)
    if (!existsSync(join(folder, goRoot, 'bin', 'go')))
      throw new Error(`Cannot find ${goRoot}/bin/go in ${goPackages.join(' and ')}`)
  },
}
