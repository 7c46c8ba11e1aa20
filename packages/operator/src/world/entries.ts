import type { Secret } from '@slurm-operator/kube'

/** One entry of a Secret, decoded; undefined: it has none, or an empty one. */
export function readSecretEntry({ data }: Pick<Secret, 'data'>, key: string): Buffer | undefined {
  const encoded = data !== undefined && Object.hasOwn(data, key) ? data[key] : undefined
  return encoded === undefined || encoded === '' ? undefined : Buffer.from(encoded, 'base64')
}

/** All entries, decoded. */
export function readSecretEntries({ data }: Pick<Secret, 'data'>): Readonly<Record<string, Buffer>> {
  return Object.fromEntries(Object.entries(data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64')]))
}
