/**
 * What the docs say, as data for tests: pages, their links, their manifests, and the examples beside them.
 *
 * @module
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { JsonObject, KubeObject } from '@slurm-operator/kube'
import { parseAllDocuments } from 'yaml'

const ROOT = new URL('../../../../', import.meta.url)

/** A file of the project, as text. */
export function readProjectFile(path: string): string {
  return readFileSync(new URL(path, ROOT), 'utf8')
}

/** Whether the project has this file or folder. */
export function isInProject(path: string): boolean {
  return existsSync(new URL(path, ROOT))
}

/** The files of a folder with this ending, as paths from the root of the project. */
export function listFiles(folder: string, ending: string): string[] {
  const names = readdirSync(new URL(`${folder}/`, ROOT)).toSorted()
  return names.filter((name) => name.endsWith(ending)).map((name) => `${folder}/${name}`)
}

/** The pages that people write by hand. */
export const pages: readonly string[] = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...listFiles('docs', '.md'),
  ...listFiles('docs/decisions', '.md'),
]

/** An object in a manifest. */
export type Manifest = KubeObject & { readonly spec?: JsonObject }

/** The objects of a YAML text; a mistake in the text throws. */
export function readManifests(text: string): Manifest[] {
  return parseAllDocuments(text).flatMap((document) => {
    const [mistake] = document.errors
    if (mistake) throw mistake
    const value = document.toJS() as Manifest | null
    return value === null ? [] : [value]
  })
}

/** The fenced blocks of a page that are in this language. */
export function readBlocks(page: string, language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms')
  return [...readProjectFile(page).matchAll(fence)].map(([, text = '']) => text)
}

/** What a page links to in this project, as paths from its root. */
export function readLinks(page: string): string[] {
  const targets = [...readProjectFile(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
  const base = new URL(page, 'file:///')
  return targets
    .filter((target) => !/^(?:[a-z]+:|#)/.test(target))
    .map((target) => new URL(target, base).pathname.slice(1))
}
