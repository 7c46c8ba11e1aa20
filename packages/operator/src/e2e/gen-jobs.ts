import { untilTrue } from '@slurm-operator/local'
import { expect } from 'vitest'
import { endJob, fateOf, isStaying, patient, slurmState, timed, untilLeaving, type Job, type Product } from './gen.ts'

/** Its pod's name in Slurm. */
export function hostOf({ pod }: Job): string {
  return pod.spec?.hostname ?? ''
}

/** The Kube node of its pod. */
export function nodeOf({ pod }: Job): string {
  return pod.spec?.nodeName ?? ''
}

/** Wait until Slurm says that a node drains. */
export async function untilDraining(product: Product, slurmNode: string): Promise<void> {
  const isDraining = async () => (await slurmState(product, slurmNode)).includes('DRAIN')
  await untilTrue(`${slurmNode} to be draining`, isDraining, patient)
}

/** The job ends, and only then its worker leaves. */
export async function leavesAfterJob(product: Product, job: Job): Promise<void> {
  expect(await isStaying(product, job.pod)).toBe(true)
  await endJob(product, job)
  await timed(`job ${job.id} may end → ${job.pod.metadata.name} is deleted`, () => untilLeaving(product, job.pod))
  expect(await fateOf(product, job)).toBe('COMPLETED')
}
