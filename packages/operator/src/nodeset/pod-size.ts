import { containerNames } from '@slurm-operator/api'
import { milliCpus, parseQuantity, whyInvalidQuantity, type PodSpec, type Quantity } from '@slurm-operator/kube'

/** How much of a machine a worker is: 0 means that nothing limits it, so it is the whole Kube node. */
export interface PodSize {
  readonly cpus: number
  readonly memoryMib: number
}

type Limits = Readonly<Record<string, string | number>> | undefined

/** The limits of the pod; those of the slurmd container count instead where it has some. */
export function podSizeOf({ resources, containers }: PodSpec): PodSize {
  const slurmd = containers.find(({ name }) => name === containerNames.slurmd)?.resources?.limits as Limits
  const pod = resources?.limits as Limits
  return {
    cpus: Math.ceil(milliCpus(limitOf('cpu', slurmd, pod)) / 1000),
    memoryMib: wholeMebibytes(limitOf('memory', slurmd, pod)),
  }
}

const NANOS_PER_MEBIBYTE = 2n ** 20n * 10n ** 9n

/** Rounded down: a worker must not promise jobs more than the kernel grants it. */
function wholeMebibytes({ nanos }: Quantity): number {
  return Number(nanos / NANOS_PER_MEBIBYTE)
}

function limitOf(name: string, ...limits: readonly Limits[]) {
  const found = limits.map((each) => readLimit(each?.[name])).find((quantity) => quantity.nanos !== 0n)
  return found ?? parseQuantity('0')
}

/** What is no quantity limits nothing here; the API server refuses it anyway. */
function readLimit(text: string | number | undefined) {
  return parseQuantity(text === undefined || whyInvalidQuantity(text) !== undefined ? '0' : text)
}
