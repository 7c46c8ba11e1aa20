import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder } from '../cache/cache.ts'
import { withLock } from '../cache/lock.ts'
import { run } from '../machine/run.ts'
import { chooseOldImages } from './choose-old-images.ts'
import { repositoryFile } from './target.ts'

/** The images of the operator in one archive, under a tag that stands for their content. */
export interface OperatorImages {
  readonly archive: string
  readonly tag: string
}

const packages = ['kube', 'runtime', 'slurm', 'api', 'operator']
const BUILD_TIMEOUT_MS = 15 * 60_000

/** Build the images from the sources as they are, unless that was done before. Several runs may ask at once. */
export async function ensureOperatorImages(): Promise<OperatorImages> {
  const tag = `s${hashOfSources()}`
  const folder = join(cacheFolder(), 'images', tag)
  const archive = join(folder, 'slurm-operator-images.tar')
  await withLock(folder, { timeoutMs: BUILD_TIMEOUT_MS }, async () => {
    if (existsSync(archive)) return utimesSync(folder, new Date(), new Date())
    const command = [process.execPath, repositoryFile('tools/image.ts'), '--out', folder, '--tag', tag, '--json']
    await run(command, { timeoutMs: BUILD_TIMEOUT_MS, cwd: repositoryFile('.'), endsWithUs: true })
    removeOldImages()
  })
  return { archive, tag }
}

/** Each change of the sources makes new ones. */
function removeOldImages(): void {
  const folder = join(cacheFolder(), 'images')
  const found = readdirSync(folder).map((name) => ({ name, usedAtMs: statSync(join(folder, name)).mtimeMs }))
  for (const name of chooseOldImages(found)) rmSync(join(folder, name), { recursive: true, force: true })
}

/** Tests are not part of the bundle, and neither is what only generates sources. */
function hashOfSources(): string {
  const hash = createHash('sha256').update(readFileSync(repositoryFile('package-lock.json')))
  for (const name of packages) {
    const folder = repositoryFile(`packages/${name}/src`)
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
    for (const file of files.filter((path) => /(?<!\.test|\/gen)\.ts$/.test(path))) {
      hash.update(file).update(readFileSync(join(folder, file)))
    }
  }
  return hash.digest('hex').slice(0, 12)
}
