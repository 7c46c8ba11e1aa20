import type { Pod } from '@slurm-operator/kube'

/** The slurmd of a pod: its name in Slurm, and what it says about its machine. */
export interface Slurmd {
  readonly name: string
  /** As in slurm.conf: `CPUs=2 RealMemory=2000 Features=gpu`. */
  readonly conf: string
}

const USUAL_CPUS = 2
const USUAL_MEMORY_MIB = 2000

/** What a worker pod would start; undefined for any other pod. */
export function slurmdOf({ spec, metadata }: Pod): Slurmd | undefined {
  const container = spec?.containers.find(({ name }) => name === 'slurmd')
  if (container === undefined || spec === undefined) return undefined
  const env = new Map((container.env ?? []).map(({ name, value = '' }) => [name, value]))
  const size = (name: string, usual: number): number => Number(env.get(name)) || usual
  const host = spec.hostNetwork === true ? spec.nodeName : spec.hostname
  const own = confArgument(container.args ?? [])
  return {
    name: host ?? metadata.name ?? '',
    conf: `CPUs=${size('POD_CPUS', USUAL_CPUS)} RealMemory=${size('POD_MEMORY', USUAL_MEMORY_MIB)} ${own}`,
  }
}

/** The value of `--conf` without its quotes, and without what a shell would put in: nobody evaluates it here. */
function confArgument(args: readonly string[]): string {
  const text = args[args.indexOf('--conf') + 1]
  if (!args.includes('--conf') || text === undefined) return ''
  return text.replace(/'"\$\{[^"]*"'/g, '').replaceAll("'", '')
}
