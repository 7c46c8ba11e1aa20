import { cacheFolder } from '../cache/cache.ts'
import { readSurroundings, whyNoBoxes } from '../machine/surroundings.ts'

/** Fail early and clearly on a machine that cannot run boxes. */
export function requireBoxes(): void {
  const causes = whyNotHere()
  if (causes.length === 0) return
  const list = causes.map((cause) => `  - ${cause}`).join('\n')
  throw new Error(
    `Cannot start nodes on this machine:\n${list}\nAn API server without nodes still works (startApiServer, npm run test:api).`,
  )
}

/** What stands in the way here; tests skip themselves with these words. */
export function whyNotHere(): string[] {
  return whyNoBoxes(readSurroundings(cacheFolder()))
}
