/**
 * Other people's checkers, run as programs: silence and exit code 0 mean no findings.
 *
 * @module
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { ROOT } from '../project.ts'

/** Run a program of node_modules/.bin; its output becomes the findings, with the cure if there is one. */
export async function runTool(name: string, parameters: readonly string[], cure?: string): Promise<string[]> {
  const program = join(ROOT, 'node_modules', '.bin', name)
  const child = spawn(process.execPath, [program, ...parameters], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  })
  const ended = new Promise<number | string>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve(code ?? signal ?? 'no exit code'))
  })
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  if (code === 0) return []
  const lines = `${output}\n${errors}`.split('\n').filter((line) => line.trim() !== '')
  return [...lines, `${name} ended with ${code}${cure === undefined ? '' : `; to fix it: ${cure}`}`]
}
