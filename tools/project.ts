/**
 * The project as data: its folder and its files. Checks get this and need no other look at the disk.
 *
 * @module
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

/** One file as the checks see it; paths are relative to the root and use `/`. */
export interface ProjectFile {
  readonly path: string
  readonly text: string
}

/** The folder that holds the root package.json, whatever the current folder is. */
export const ROOT = resolve(import.meta.dirname, '..')

/** Everything git knows or would add, so that a new file is checked before it is committed. */
export async function readProjectFiles(root: string): Promise<ProjectFile[]> {
  const paths = await listProjectPaths(root)
  const files = await Promise.all(paths.map((path) => readTextFile(root, path)))
  return files.filter((file) => file !== undefined)
}

async function listProjectPaths(root: string): Promise<string[]> {
  const arguments_ = ['ls-files', '-co', '--exclude-standard', '-z']
  const { stdout } = await promisify(execFile)('git', arguments_, { cwd: root, maxBuffer: 64 * 1024 * 1024 })
  const paths = stdout.split('\0').filter((path) => path !== '')
  return [...new Set(paths)].filter((path) => existsSync(join(root, path))) // git also lists what was just deleted
}

async function readTextFile(root: string, path: string): Promise<ProjectFile | undefined> {
  const bytes = await readFile(join(root, path)).catch(() => undefined) // a folder behind a link, or just deleted
  if (bytes === undefined || bytes.includes(0)) return undefined // binary files hold no words and no imports
  return { path, text: bytes.toString('utf8') }
}
