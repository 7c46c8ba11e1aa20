import { ports } from '@slurm-operator/api'
import type { Built, Problem } from '../workload/problem.ts'

/** What an sshd_config is made of. */
export interface SshdConfigInput {
  readonly of: 'login' | 'worker'
  /** Where sshd listens; needed on host networks, where the node has its own sshd. */
  readonly port?: number | undefined
  readonly extraSshdConfig?: string | null | undefined
}

/** The sshd_config of login and worker pods: ours first, because sshd takes the first value of a keyword. */
export function buildSshdConfig({ of, port, extraSshdConfig }: SshdConfigInput): string {
  const lines = [
    '#',
    '### GENERAL ###',
    'Include /etc/ssh/sshd_config.d/*.conf',
    ...(port !== undefined && port !== ports.ssh ? [`Port ${port}`] : []),
    'UsePAM yes',
    ...(of === 'login' ? ['X11Forwarding yes'] : []),
    'Subsystem sftp internal-sftp',
    ...(of === 'worker' ? ['AuthenticationMethods publickey password'] : []),
    '#',
    '### EXTRA CONFIG ###',
    extraSshdConfig ?? '',
  ]
  return `${lines.join('\n')}\n`
}

/** Root's authorized_keys. A line that is no key would be ignored by sshd, which nobody would notice. */
export function buildAuthorizedKeys(rootSshAuthorizedKeys: string | null | undefined): Built<string> {
  const keys = rootSshAuthorizedKeys ?? ''
  const problems = keys.split('\n').flatMap((line, index) => whyNoKey(line.trim(), index + 1))
  return { value: `#\n### SLINKY ###\n${keys}\n`, problems }
}

function whyNoKey(line: string, number: number): Problem[] {
  if (line === '' || line.startsWith('#') || /(?:^|\s)(?:ssh|ecdsa|sk)-\S+\s+[A-Za-z0-9+/=]+/u.test(line)) return []
  const problem = `has in line ${number} something that is no public key. sshd ignores it.`
  return [{ path: 'spec.rootSshAuthorizedKeys', problem, severity: 'warning' }]
}
