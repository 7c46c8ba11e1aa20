import { execFile } from 'node:child_process'
import { redact } from '../errors/redact.ts'
import { execInfo } from './exec-credential.ts'
import { misconfigured } from './misconfigured.ts'
import type { ExecPlugin } from './settings.ts'

const TIMEOUT_MS = 60_000
const OUTPUT_BYTES = 1 << 20

/** Run a plugin and return what it printed. */
export type RunPlugin = (plugin: ExecPlugin) => Promise<string>

/** Run it as a process without a terminal. */
export const runPlugin: RunPlugin = async (plugin) => {
  const env = { ...process.env, ...plugin.env, KUBERNETES_EXEC_INFO: execInfo(plugin) }
  return new Promise((resolve, reject) => {
    const options = { env, timeout: TIMEOUT_MS, maxBuffer: OUTPUT_BYTES, killSignal: 'SIGKILL' } as const
    const child = execFile(plugin.command, [...plugin.args], options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout)
      else reject(misconfigured(`use exec plugin ${plugin.command}`, whyFailed(error, stderr, plugin)))
    })
    child.stdin?.end()
  })
}

interface ExecError {
  readonly code?: string | number | null
  readonly killed?: boolean
}

function whyFailed({ code, killed }: ExecError, stderr: string, { installHint }: ExecPlugin): string {
  if (code === 'ENOENT') return `there is no such program. ${installHint ?? 'Install it or correct the kubeconfig.'}`
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return 'it printed more than a credential can be'
  if (killed === true) return `it did not end within ${TIMEOUT_MS / 1000} s`
  const lastLine = redact(stderr.trim().split('\n').at(-1)?.slice(0, 300) ?? '')
  return `it failed with ${code ?? 'a signal'}${lastLine === '' ? '' : `: ${lastLine}`}`
}
