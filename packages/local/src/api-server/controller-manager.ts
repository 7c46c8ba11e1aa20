import { join } from 'node:path'
import { onFreePorts } from '../machine/ports.ts'
import type { Run } from '../runs/run.ts'

/** Where the controllers of Kubernetes run. */
interface ManagerPlace {
  readonly program: string
  readonly kubeconfig: string
  readonly serviceAccountKey: string
}

/** Start some of the built-in controllers, such as `garbage-collector-controller`: an API server alone only stores. */
export async function startControllerManager(
  run: Run,
  { program, kubeconfig, serviceAccountKey }: ManagerPlace,
  controllers: readonly string[],
): Promise<void> {
  const flags = (port: number) => [
    `--kubeconfig=${kubeconfig}`,
    `--service-account-private-key-file=${serviceAccountKey}`,
    `--controllers=${controllers.join(',')}`,
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
    '--leader-elect=false',
    '--kube-api-qps=200',
    '--kube-api-burst=400',
    '--concurrent-namespace-syncs=20',
  ]
  await onFreePorts(1, async ([port = 0]) => {
    const name = 'kube-controller-manager'
    await run.start({ name, logFile: join(run.folder, `${name}.log`), command: [program, ...flags(port)] }, 'kill')
  })
}
