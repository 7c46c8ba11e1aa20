import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describeFlags } from '@slurm-operator/runtime'
import { describe, expect, test } from 'vitest'
import { webhookFlags } from './webhook-flags.ts'

const program = join(import.meta.dirname, 'webhook.ts')
const start = (...words: string[]) =>
  spawnSync(process.execPath, [program, ...words], { encoding: 'utf8', env: {}, timeout: 20_000 })

describe('the webhook program prevents that', () => {
  test('flags of old manifests are unknown or mean something else', () => {
    const defaults = Object.fromEntries(describeFlags(webhookFlags).map(({ name, defaultText }) => [name, defaultText]))
    expect(defaults).toEqual({
      'health-addr': '":8081"',
      'metrics-addr': '"0"',
      'metrics-secure': '',
      'enable-http2': '',
      'leader-elect': '',
      'leader-elect-namespace': '',
      namespaces: '',
      'server-addr': '":9443"',
      kubeconfig: '',
      'cert-secret': '',
      'cert-service': '',
      'webhook-configurations': '',
      'zap-devel': '',
      'zap-encoder': 'json',
      'zap-log-level': 'info',
      'zap-stacktrace-level': 'error',
      'zap-time-encoding': 'rfc3339',
    })
  })

  test('somebody asks for help and gets a stack trace', () => {
    const { status, stdout } = start('--help')
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^Usage of webhook:\n {2}-cert-secret/),
    })
  })

  test('it runs on with a mistake in its flags', () => {
    expect(start('--nonsense')).toMatchObject({ status: 1, stderr: expect.stringContaining('there is no such flag') })
  })

  test('it runs on without a connection to an API server', () => {
    const { status, stderr, stdout } = start('--kubeconfig=/nowhere')
    expect({ status, said: stderr + stdout }).toEqual({ status: 1, said: expect.stringContaining('/nowhere') })
  })
})
