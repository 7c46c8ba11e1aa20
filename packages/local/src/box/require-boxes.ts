import { existsSync } from 'node:fs'
import { cacheFolder, folderOf } from '../cache/cache.ts'
import { readSurroundings, whyNoBoxes } from '../machine/surroundings.ts'
import { kube } from '../programs/kubernetes.ts'
import { nodeRoot, slurmRoot } from '../programs/roots.ts'

const WORKS_WITHOUT = `What works here all the same: npm run check, test:unit, test:sim, and test:api with an API server without nodes.
With a Kubernetes of your own you need no nodes of ours: docs/install.md.`

/** Fail early and clearly on a machine that cannot run boxes. */
export function requireBoxes(): void {
  const causes = whyNotHere()
  if (causes.length === 0) return
  const list = causes.map((cause) => `  - ${cause}`).join('\n')
  throw new Error(`Cannot start nodes on this machine:\n${list}\n${WORKS_WITHOUT}`)
}

/** What stands in the way here; tests skip themselves with these words. */
export function whyNotHere(): string[] {
  const hasPrograms = [kube, nodeRoot, slurmRoot].every((artefact) => existsSync(folderOf(artefact)))
  return whyNoBoxes(readSurroundings(cacheFolder(), hasPrograms))
}
