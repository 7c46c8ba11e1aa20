import type { ObjectKey } from '@slurm-operator/kube'

/** A key as text, for the queue and for people: `namespace/name`, or the name alone. Neither may contain a slash. */
export function keyText({ namespace, name }: ObjectKey): string {
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`
}

/** The key that a text stands for. */
export function keyFromText(text: string): ObjectKey {
  const slash = text.indexOf('/')
  return slash < 0 ? { name: text } : { namespace: text.slice(0, slash), name: text.slice(slash + 1) }
}
