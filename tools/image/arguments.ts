import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { cacheFolder } from '../../packages/local/src/cache/cache.ts'
import { readFileSync } from 'node:fs'
import { ROOT } from '../project.ts'
import { architectures, type Architecture } from './base-entries.ts'
import { operatorPrograms, type OperatorProgram } from './operator-programs.ts'

const { version: PROJECT_VERSION } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly version: string
}

/** What `npm run image` was asked to do. */
export interface ImageArguments {
  readonly programs: readonly OperatorProgram[]
  readonly folder: string
  readonly registry: string
  readonly tag: string
  readonly compression: 'none' | 'gzip'
  /** Of the processor; undefined: that of this machine. */
  readonly architecture: Architecture | undefined
  /** Write the files of one image into this folder instead of packing archives. */
  readonly tree: string | undefined
  /** Refuse packages that are not those of the lock. */
  readonly locked: boolean
  /** Print the result as JSON. */
  readonly json: boolean
  readonly help: boolean
}

/** What `--help` prints. */
export const usage = `npm run image -- [--out FOLDER] [--registry NAME] [--tag TAG] [--only IMAGE] [--arch NAME] [--gzip] [--locked] [--json]
npm run image -- --only IMAGE --tree FOLDER [--arch NAME]

Writes slurm-operator and slurm-operator-webhook as one OCI archive, and a list of contents (CycloneDX) for each.
  --out       where to; a folder in the per-user cache by default
  --registry  the part of the image names before the last slash; slurm-operator.local by default
  --tag       the version of the project by default, as in the charts
  --only      one of the two images
  --arch      amd64 or arm64, which is then part of the file names; that of this machine by default
  --gzip      compress the layers: smaller, slower, the same bytes only with the same Node
  --locked    fail when the Debian mirror no longer has the versions of images/debian-lock.json
  --tree      write the files of the image into a folder instead (for images/Dockerfile)
`

/** Read the command line. Throws an error for people. */
export function parseImageArguments(words: readonly string[]): ImageArguments {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean', default: false } as const
  const texts = { out: text, registry: text, tag: text, only: text, tree: text, arch: text }
  const options = { ...texts, json: flag, gzip: flag, locked: flag }
  const { values } = parseArgs({ args: [...words], options: { ...options, help: { ...flag, short: 'h' } } })
  if (values.tree !== undefined && values.only === undefined)
    throw new Error('Cannot write a tree of several images. Add --only with the name of one.')
  return {
    programs: chosen(values.only),
    folder: values.out ?? join(cacheFolder(), 'images'),
    registry: values.registry ?? 'slurm-operator.local',
    tag: values.tag ?? PROJECT_VERSION,
    compression: values.gzip ? 'gzip' : 'none',
    architecture: values.arch === undefined ? undefined : readArchitecture(values.arch),
    tree: values.tree,
    locked: values.locked,
    json: values.json,
    help: values.help,
  }
}

function readArchitecture(word: string): Architecture {
  const found = architectures.find((name) => name === word)
  if (found !== undefined) return found
  throw new Error(`Cannot build images for ${word}. Give ${architectures.join(' or ')}.`)
}

function chosen(only: string | undefined): readonly OperatorProgram[] {
  const programs = operatorPrograms.filter(({ image }) => only === undefined || image === only)
  if (programs.length > 0) return programs
  const names = operatorPrograms.map(({ image }) => image).join(' or ')
  throw new Error(`Cannot build ${only}: there is no such image. Give ${names}.`)
}
