import type { ConfigMap, Live } from '@slurm-operator/kube'
import type { CacheChange } from '../cache/cached.ts'

/** What the tests of reflectors keep. */
export type Kept = Live<ConfigMap>

/** What every listener must be able to rely on, whatever happened on the way. */
export class Witness {
  readonly alive = new Map<string, string>() // uid → resourceVersion
  readonly complaints: string[] = []

  readonly hear = (change: CacheChange<Kept>): void => {
    const { uid, resourceVersion, name } = change.object.metadata
    const known = this.alive.get(uid)
    if (change.kind === 'added' && known !== undefined) this.complaints.push(`${name} was added twice`)
    if (change.kind !== 'added' && known === undefined)
      this.complaints.push(`${name} was ${change.kind} before it was added`)
    if (known !== undefined && BigInt(resourceVersion) < BigInt(known))
      this.complaints.push(`${name} went back from ${known} to ${resourceVersion}`)
    if (change.kind === 'deleted') this.alive.delete(uid)
    else this.alive.set(uid, resourceVersion)
  }
}
