/** What we want a figure to be at most, and what the operator that most people use needs, where it was measured. */
export interface Budget {
  readonly figure: string
  readonly says: string
  readonly unit: string
  readonly most: (workers: number) => number | undefined
  readonly reference: (workers: number) => string
}

/** The figure nearest to that many workers. */
function near(figures: Readonly<Record<number, string>>) {
  return (workers: number): string => {
    const sizes = Object.keys(figures).map(Number)
    const [best = 0] = sizes.toSorted((one, other) => Math.abs(one - workers) - Math.abs(other - workers))
    return figures[best] ?? ''
  }
}

/** Between two sizes it grows evenly. */
function between(points: readonly (readonly [number, number])[]) {
  return (workers: number): number => {
    const above = points.findIndex(([size]) => size >= workers)
    const [toSize, to] = points[above === -1 ? points.length - 1 : above] ?? [0, 0]
    const [fromSize, from] = points[above === -1 ? points.length - 2 : above - 1] ?? [toSize, to]
    return toSize === fromSize ? to : from + ((to - from) * (workers - fromSize)) / (toSize - fromSize)
  }
}

const always = (value: number) => () => value
const said = (text: string) => () => text

/** The budgets, in the order in which they are printed. */
export const budgets: readonly Budget[] = [
  {
    ...{ figure: 'outPodWritesPerWorker', says: 'writes of pods and claims per worker until Ready', unit: '' },
    ...{ most: always(2), reference: said('4.0') },
  },
  {
    ...{ figure: 'outStatusWritesPerSecond', says: 'status writes a second meanwhile', unit: '' },
    ...{ most: always(1), reference: said('') },
  },
  {
    ...{ figure: 'outSlurmWritesPerWorker', says: 'writes to Slurm per worker until Ready', unit: '' },
    ...{ most: always(1), reference: said('') },
  },
  {
    ...{ figure: 'outSlurmListsPerSecond', says: 'lists from Slurm a second meanwhile', unit: '' },
    ...{ most: always(2), reference: said('') },
  },
  {
    ...{
      figure: 'outSlurmLooksPerWorker',
      says: 'looks at single Slurm nodes per worker',
      unit: '',
    },
    ...{ most: () => undefined, reference: said('') },
  },
  {
    ...{ figure: 'outCpuMsPerWorker', says: 'CPU per worker until Ready', unit: ' ms' },
    ...{ most: always(5), reference: near({ 100: '19', 1000: '15', 3000: '34' }) },
  },
  {
    ...{ figure: 'outSeconds', says: 'until the status says that all are Ready', unit: ' s' },
    most: between([
      [0, 4],
      [100, 5],
      [1000, 20],
    ]),
    reference: near({ 100: '27', 1000: '79' }),
  },
  {
    ...{ figure: 'emptyRssMb', says: 'memory without any worker', unit: ' MB' },
    ...{ most: always(70), reference: said('77') },
  },
  {
    ...{ figure: 'outPeakRssMb', says: 'memory, most of a scale-out', unit: ' MB' },
    most: between([
      [0, 70],
      [1000, 100],
      [3000, 120],
      [10_000, 160],
    ]),
    reference: near({ 1000: '206', 3000: '449' }),
  },
  {
    ...{ figure: 'rollWritesPerWorker', says: 'writes per worker of a rolling update', unit: '' },
    ...{ most: always(5), reference: said('9.1') },
  },
  {
    ...{ figure: 'rollSlurmPerWorker', says: 'Slurm requests per worker of a rolling update', unit: '' },
    ...{ most: always(3), reference: said('7.9') },
  },
  {
    ...{ figure: 'restWritesPerMinute', says: 'writes a minute at rest', unit: '' },
    ...{ most: always(0), reference: said('') },
  },
  {
    ...{ figure: 'restSlurmPerMinute', says: 'Slurm requests a minute at rest', unit: '' },
    ...{ most: always(4), reference: said('11') },
  },
  {
    ...{ figure: 'restCpuPercent', says: 'CPU at rest, of a core', unit: ' %' },
    ...{ most: always(0.5), reference: said('9-11') },
  },
  {
    ...{ figure: 'stallCpuMs', says: 'longest turn of the event loop, on the processor', unit: ' ms' },
    ...{ most: always(100), reference: said('') },
  },
]
