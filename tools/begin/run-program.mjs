/**
 * Runs a program in our place: it has our terminal, gets our signals, and its end is our end.
 *
 * @module
 */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {number} [inheritFd] kept open in the program as long as it lives
 */

/**
 * The exit code, or 128 + the number of the signal that ended it, as shells count. Rejects if it cannot be started.
 *
 * @param {string} program
 * @param {readonly string[]} parameters
 * @param {RunOptions} [options]
 * @returns {Promise<number>}
 */
export async function runProgram(program, parameters, { cwd, env, inheritFd } = {}) {
  /** @type {import('node:child_process').StdioOptions} */
  const stdio = inheritFd === undefined ? 'inherit' : ['inherit', 'inherit', 'inherit', inheritFd]
  const child = spawn(program, parameters, { stdio, ...(cwd && { cwd }), ...(env && { env }) })
  const stopForwarding = forwardSignals(child)
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code, signal) => resolve(exitCode(code, signal)))
    })
  } finally {
    stopForwarding()
  }
}

/**
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 */
export function exitCode(code, signal) {
  return signal === null ? (code ?? 1) : 128 + constants.signals[signal]
}

/** @param {import('node:child_process').ChildProcess} child */
function forwardSignals(child) {
  /** @param {NodeJS.Signals} signal */
  const forward = (signal) => {
    // Ctrl-C reaches every program in the terminal already; a second one would mean "at once, without tidying up".
    if (signal === 'SIGINT' && process.stdin.isTTY) return
    child.kill(signal)
  }
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
  for (const signal of signals) process.on(signal, forward)
  return () => signals.forEach((signal) => void process.off(signal, forward))
}
