/**
 * Brings node_modules up to date with package-lock.json, at most once per lock file.
 *
 * @module
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { takeInstallLock } from './install-lock.mjs'
import { CannotBegin } from './own-node.mjs'
import { runProgram } from './run-program.mjs'

/**
 * Install if node_modules does not belong to the present package-lock.json.
 *
 * @param {string} root
 * @param {string} node the program that must be there afterwards
 * @param {(line: string) => void} say
 */
export async function ensureInstalled(root, node, say) {
  if (isInstalled(root, node)) return
  const onWait = () => say('Waiting for another installation into this folder to end ...')
  const lock = await takeInstallLock(root, { onWait })
  try {
    if (!isInstalled(root, node)) await install(root, node, lock.fd, say) // the one we waited for may have done it
  } finally {
    await lock.release()
  }
}

/**
 * @param {string} root
 * @param {string} node
 */
function isInstalled(root, node) {
  const marker = markerFile(root)
  return existsSync(node) && existsSync(marker) && readFileSync(marker, 'utf8') === fingerprint(root)
}

/**
 * @param {string} root
 * @param {string} node
 * @param {number | undefined} lockFd
 * @param {(line: string) => void} say
 */
async function install(root, node, lockFd, say) {
  const wanted = fingerprint(root) // before: the file may change while we install
  const startedMs = Date.now()
  say('Installing npm packages into node_modules (npm ci --ignore-scripts, usually about 10 s) ...')
  // Warnings about the Node of this machine would mislead: the project brings its own.
  const parameters = ['ci', '--ignore-scripts', '--loglevel=error']
  const options = { cwd: root, env: environmentWithoutUs(root), ...(lockFd !== undefined && { inheritFd: lockFd }) }
  const code = await runProgram('npm', parameters, options).catch((/** @type {unknown} */ error) => {
    throw new CannotBegin(whyNoNpm(error), { cause: error })
  })
  if (code !== 0) throw new CannotBegin(whyNotInstalled(code))
  if (!existsSync(node)) throw new CannotBegin(whyNoNode(node))
  writeFileSync(markerFile(root), wanted)
  say(`Installed npm packages in ${((Date.now() - startedMs) / 1000).toFixed(1)} s.`)
}

/** @param {string} root */
const markerFile = (root) => join(root, 'node_modules', '.installed-from') // npm ci removes it first, so it never lies

/** @param {string} root */
function fingerprint(root) {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
}

/**
 * npm must not run on the Node inside the folder that it is about to remove.
 *
 * @param {string} root
 */
function environmentWithoutUs(root) {
  const path = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.startsWith(join(root, 'node_modules')))
  return { ...process.env, PATH: path.join(delimiter) }
}

/** @param {unknown} error */
function whyNoNpm(error) {
  const absent = error instanceof Error && 'code' in error && error.code === 'ENOENT'
  const why = absent ? 'there is no npm on the PATH' : String(error)
  return `Cannot install npm packages: ${why}. Install Node 20 or newer with its npm and try again.`
}

/** @param {number} code */
const whyNotInstalled = (code) =>
  `Cannot install npm packages: npm ci ended with ${code}, its words are above. ` +
  'Check that the registry in your npm settings answers (npm ping) and that the disk is not full, then try again.'

/** @param {string} node */
const whyNoNode = (node) =>
  `Cannot find the project's own Node: npm ci did not bring ${node}. ` +
  'Optional packages may be switched off: look for "omit" in npm config ls, then remove node_modules and try again.'
