import { components, ports, type LoginSetWithDefaults } from '@slurm-operator/api'

/** The port of sshd: that of a container port named `login`, for pods on the network of their Kube node. */
export function sshPort({ login }: Pick<LoginSetWithDefaults['spec'], 'login'>): number {
  const listed: unknown = login?.ports
  const own = (
    Array.isArray(listed) ? (listed as { readonly name?: string; readonly containerPort?: number }[]) : []
  ).find((port) => port?.name === components.login.app)
  return own?.containerPort || ports.ssh
}
