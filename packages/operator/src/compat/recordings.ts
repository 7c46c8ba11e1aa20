import { fileURLToPath } from 'node:url'

const FOLDER = new URL('../../../../../shared/compat/', import.meta.url)

/** A file of the recordings and of the programs that made them. They lie beside the clone, or nowhere. */
export function compatFile(path: string): string {
  return fileURLToPath(new URL(path, FOLDER))
}
