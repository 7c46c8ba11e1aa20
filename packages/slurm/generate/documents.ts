import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { OpenApiDocument, Schema } from './openapi.ts'
import { mergeSchemas, reachableSchemas } from './reachable.ts'

/** The newest first: its order of fields and types is the one we print. */
const FILES = ['openapi-26.05.json', 'openapi-24.11.json']

/** True when the folder holds all documents. */
export function hasDocuments(folder: string): boolean {
  return FILES.every((name) => existsSync(resolve(folder, name)))
}

/** The documents that slurmrestd printed about itself. */
export function readDocuments(folder: string): OpenApiDocument[] {
  if (!hasDocuments(folder)) {
    throw new Error(
      `Cannot read the OpenAPI documents in ${folder}: they are not there. Give the folder that holds ` +
        `${FILES.join(' and ')}; slurmrestd prints such a document with --generate-openapi-spec.`,
    )
  }
  return FILES.map((name) => JSON.parse(readFileSync(resolve(folder, name), 'utf8')) as OpenApiDocument)
}

/** Which releases of Slurm printed them. */
export function releasesOf(documents: readonly OpenApiDocument[]): string {
  return documents.map(({ info }) => info.version.split('&')[0]).join(', ')
}

/** What our calls reach in one version, with room for what either daemon says about it. */
export function schemasOf(documents: readonly OpenApiDocument[], version: string): Map<string, Schema> {
  const [newest = new Map<string, Schema>(), ...older] = documents.map((each) => reachableSchemas(each, version))
  const others = new Map(older.flatMap((schemas) => [...schemas]))
  return new Map([...others, ...newest].map(([name, schema]) => [name, mergeSchemas(schema, others.get(name))]))
}
