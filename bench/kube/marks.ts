import type { ObjectKey } from '@slurm-operator/kube'

/** The label that says which round of updates was the last. */
export const ROUND = 'bench.example/round'

/** The label that ends the updates of one measurement: whoever hears it has heard all others. */
export const MARK = 'bench.example/mark'

/** The object of the small calls. */
export const SMALL = { namespace: 'default', name: 'small' } as const satisfies ObjectKey

/** One name for all writers: the bookkeeping of many would be most of an object. */
export const MANAGER = 'bench'
