import type { Schemas } from './collect.ts'
import { renamed, wanted } from './wanted.ts'

/** Where a schema ends up: the file and the TypeScript name. */
export interface Place {
  readonly file: string
  readonly name: string
}

const META = 'meta-v1'

/** A place for every schema. Short names, with the group in front only where two groups use the same one. */
export function placeAll(schemas: Schemas): ReadonlyMap<string, Place> {
  const uses = Map.groupBy(schemas.keys(), shortNameOf)
  return new Map(
    [...schemas.keys()].map((longName) => {
      const short = shortNameOf(longName)
      const [file, prefix] = fileOf(longName)
      return [longName, { file, name: (uses.get(short)?.length ?? 0) > 1 ? prefix + short : short }]
    }),
  )
}

function shortNameOf(longName: string): string {
  return renamed[longName] ?? longName.slice(longName.lastIndexOf('.') + 1)
}

function fileOf(longName: string): readonly [file: string, prefix: string] {
  if (longName.startsWith('io.k8s.apimachinery.')) return [META, 'Meta']
  const [version = '', group = ''] = longName.split('.').reverse().slice(1)
  const row = wanted.find(({ file }) => file === `${group}-${version}`)
  if (row === undefined) throw new Error(`Cannot place ${longName}: wanted.ts has no row for ${group} ${version}`)
  return [row.file, row.prefix]
}
