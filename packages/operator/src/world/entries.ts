import type { Secret } from '@slurm-operator/kube'
import { hideEntry } from './hidden-entries.ts'

/** One entry of a Secret, decoded; undefined: it has none, or an empty one. From now on no log line shows it. */
export function readSecretEntry(secret: Pick<Secret, 'data'>, key: string): Buffer | undefined {
  const { data } = secret
  const encoded = data !== undefined && Object.hasOwn(data, key) ? data[key] : undefined
  if (encoded === undefined || encoded === '') return undefined
  hideEntry(secret, encoded)
  return Buffer.from(encoded, 'base64')
}

/** All entries, decoded. */
export function readSecretEntries({ data }: Pick<Secret, 'data'>): Readonly<Record<string, Buffer>> {
  return Object.fromEntries(Object.entries(data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64')]))
}
