import type { Random } from '@slurm-operator/kube'

/** Names one pass in all its lines, in the form of a UUID. Not a secret. */
export function createPassId(random: Random): string {
  const digits = Array.from({ length: 32 }, (_, place) => {
    if (place === 12) return '4'
    const value = Math.floor(random() * 16)
    return (place === 16 ? (value % 4) + 8 : value).toString(16)
  }).join('')
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join(
    '-',
  )
}
