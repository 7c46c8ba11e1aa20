import { KUBERNETES_VERSION } from '@slurm-operator/local'
import { whyStale as whyApiStale } from '../../packages/api/generate/why-stale.ts'
import { whyStale as whyChartsStale } from '../charts/why-stale.ts'
import { whyStale as whyKubeStale } from '../../packages/kube/generate/why-stale.ts'
import { whyStale as whyOperatorStale } from '../../packages/operator/generate/why-stale.ts'
import { whyStale as whySlurmStale } from '../../packages/slurm/generate/why-stale.ts'

/** A program that writes files of the project, and the judge that says when they are out of date. */
export interface Generator {
  readonly name: string
  readonly program: string
  readonly whyStale: () => string | undefined
}

/** All of them. */
export const generators: readonly Generator[] = [
  { name: 'kube', program: 'packages/kube/generate/main.ts', whyStale: () => whyKubeStale(`v${KUBERNETES_VERSION}`) },
  { name: 'slurm', program: 'packages/slurm/generate/main.ts', whyStale: whySlurmStale },
  { name: 'operator', program: 'packages/operator/generate/main.ts', whyStale: whyOperatorStale },
  { name: 'api', program: 'packages/api/generate/main.ts', whyStale: whyApiStale },
  { name: 'charts', program: 'tools/charts/main.ts', whyStale: whyChartsStale },
]

/** What must be generated again. Nothing is generated for this: each file names what it was made from. */
export function findStale(): string[] {
  return generators.flatMap(({ name, whyStale }) => {
    const cause = whyStale()
    return cause === undefined ? [] : [`${name}: ${cause}. Run: npm run generate`]
  })
}
