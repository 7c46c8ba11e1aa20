import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withNodeSetDefaults, type Controller, type NodeSet } from '@slurm-operator/api'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { buildSlurmdContainer } from './build-worker-containers.ts'

const apiVersion = 'slinky.slurm.net/v1beta1'
const controller: Controller = { apiVersion, kind: 'Controller', metadata: { name: 'c', namespace: 'n' }, spec: {} }
const nodeSet = (spec: Partial<NodeSet['spec']> = {}) =>
  withNodeSetDefaults<NodeSet>({
    apiVersion,
    kind: 'NodeSet',
    metadata: { name: 'w', namespace: 'n' },
    spec: { controllerRef: { name: 'c' }, ...spec },
  })
const slurmd = (spec?: Partial<NodeSet['spec']>) => buildSlurmdContainer(nodeSet(spec), controller).value

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pre-stop-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Run the hook with a scontrol that knows this reason, and return what it was told. */
function stop(reason: string): string {
  const scontrol = `#!/bin/sh
case "$*" in
  *show*) echo " NodeName=w-0 State=IDLE+DRAIN Reason=${reason} [root@2026-01-01T00:00:00] Comment=x" ;;
  *) printf '%s|' "$@" > ${folder}/told ;;
esac`
  writeFileSync(join(folder, 'scontrol'), scontrol)
  chmodSync(join(folder, 'scontrol'), 0o755)
  const script = slurmd().lifecycle?.preStop?.exec?.command?.[2] ?? ''
  execFileSync('sh', ['-c', script], { env: { PATH: `${folder}:${process.env['PATH']}` } })
  return readFileSync(join(folder, 'told'), 'utf8')
}

describe('the slurmd container prevents that', () => {
  test('NS-168: a worker that ends takes the drain of an administrator for its own', () => {
    expect(stop('disk is broken')).toMatch(/state=down\|reason=disk is broken\|$/)
    expect(stop('slurm-operator: pod n/w-0 awaits removal')).toMatch(/reason=slurm-operator: Pod is terminating\|$/)
    expect(stop('')).toMatch(/reason=slurm-operator: Pod is terminating\|$/)
  })

  test('NS-176, WP-39: a user cannot take privileges away', () => {
    expect(slurmd().securityContext?.privileged).toBe(true)
    expect(slurmd({ slurmd: { securityContext: { privileged: false } } }).securityContext?.privileged).toBe(false)
  })

  test('NS-169, NS-170: sshd runs where nobody asked for it, or not where somebody did', () => {
    expect(slurmd().ports?.map(({ name }) => name)).toEqual(['slurmd'])
    const ssh = { enabled: true, sssdConfRef: { name: 's', key: 'k' } }
    expect(slurmd({ ssh }).ports?.map(({ name }) => name)).toEqual(['slurmd', 'ssh'])
  })

  test('NS-146: slurmd looks for slurmctld where it is not', () => {
    expect(slurmd().args?.slice(0, 4)).toEqual(['-Z', '--conf-server', 'c-controller.n:6817', '--conf'])
  })
})
