/** What a node has or a job takes, by Slurm's names: `cpu`, `mem`, `gres/gpu`, `gres/gpu:a100`. */
export type Tres = Readonly<Record<string, number>>

const UNITS: Readonly<Record<string, number>> = {
  K: 2 ** 10,
  M: 2 ** 20,
  G: 2 ** 30,
  T: 2 ** 40,
  P: 2 ** 50,
  E: 2 ** 60,
}

/** What is counted in MiB, so that `mem=2000M` is 2000. */
const IN_MIB: ReadonlySet<string> = new Set(['mem', 'vmem'])

/** Read `cpu=2,mem=2000M,gres/gpu=1`. Memory in MiB, everything else in pieces. What is no such entry is left out. */
export function readTres(text: string): Tres {
  const tres: Record<string, number> = Object.create(null) as Record<string, number>
  for (const entry of text.split(',')) {
    const [, name, amount, unit] = /^\s*([^=\s]+)=(\d+(?:\.\d+)?)([KMGTPE]?)\s*$/.exec(entry) ?? []
    if (name !== undefined && amount !== undefined) tres[name] = scale(name, Number(amount), unit ?? '')
  }
  return tres
}

/** Memory without a unit is in MiB already; anything else without one is in pieces. */
function scale(name: string, amount: number, unit: string): number {
  const factor = UNITS[unit]
  if (factor === undefined) return amount
  return IN_MIB.has(name) ? (amount * factor) / 2 ** 20 : amount * factor
}

/** One kind of generic resource of a node, such as its GPUs. */
export interface Gres {
  readonly name: string
  /** Empty when the node does not say which type. */
  readonly type: string
  readonly count: number
}

/** Read `gpu:a100:2(S:0-1),shard:8`, and `gpu:a100:1(IDX:0,2)` of what is used. What is no such entry is left out. */
export function readGres(text: string): Gres[] {
  return splitOutsideParentheses(text).flatMap((entry) => {
    const [name = '', ...rest] = entry.replace(/\(.*$/, '').trim().split(':')
    if (name === '' || name === 'N/A') return []
    const [, amount = '1', unit = ''] = /^(\d+)([KMGTPE]?)$/.exec(rest.at(-1) ?? '') ?? []
    const types = isAmount(rest.at(-1)) ? rest.slice(0, -1) : rest
    return [
      {
        name,
        type: types.filter((type) => type !== 'no_consume').join(':'),
        count: Number(amount) * (UNITS[unit] ?? 1),
      },
    ]
  })
}

function isAmount(text: string | undefined): boolean {
  return text !== undefined && /^\d+[KMGTPE]?$/.test(text)
}

/** Commas also stand inside parentheses: `gpu:3(IDX:0,2-3),shard:1`. */
function splitOutsideParentheses(text: string): string[] {
  return text.split(/,(?![^(]*\))/)
}
