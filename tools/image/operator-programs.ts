/** A program and the image that holds it. */
export interface OperatorProgram {
  readonly image: 'slurm-operator' | 'slurm-operator-webhook'
  /** Where it is in the image; also its entry point. */
  readonly path: '/manager' | '/webhook'
  readonly entry: string
  readonly ports: readonly `${number}/tcp`[]
}

/** The programs that ship, by the names and paths that people have in their manifests. */
export const operatorPrograms: readonly OperatorProgram[] = [
  {
    image: 'slurm-operator',
    path: '/manager',
    entry: 'packages/operator/src/programs/manager.ts',
    ports: ['8080/tcp', '8081/tcp'],
  },
  {
    image: 'slurm-operator-webhook',
    path: '/webhook',
    entry: 'packages/operator/src/programs/webhook.ts',
    ports: ['8081/tcp', '9443/tcp'],
  },
]
