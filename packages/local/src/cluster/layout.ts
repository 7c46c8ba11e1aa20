/**
 * Addresses and folders of a local cluster. They are the same in every cluster, since each has a network of its own.
 *
 * @module
 */
export const HUB_ADDRESS = '10.88.0.1'
export const HUB_PREFIX_LENGTH = 24
export const SERVICE_RANGE = '10.96.0.0/16'
export const POD_RANGE = '10.244.0.0/16'
export const API_SERVICE_ADDRESS = '10.96.0.1'
export const DNS_SERVICE_ADDRESS = '10.96.0.10'
export const CLUSTER_DOMAIN = 'cluster.local'
export const API_PORT = 6443

/** A folder that all nodes of a cluster have in common, as if by a network file system: for volumes of many writers. */
export const SHARED_FOLDER = '/var/shared'

/** The node that also runs the control plane. */
export const FIRST_NODE = nodeName(1)

const MOST_NODES = 30

/** The name of the node with a number, counted from 1. */
export function nodeName(number: number): string {
  return `n${number}`
}

/** The number of a node by its name. */
export function nodeNumber(name: string): number {
  const number = Number(/^n(\d+)$/.exec(name)?.[1])
  if (number >= 1 && number <= MOST_NODES) return number
  throw new Error(`Cannot find node ${name}: nodes are called n1 to n${MOST_NODES}`)
}

/** Where a node is in the cluster's network. */
export function nodeAddress(name: string): string {
  return `10.88.0.${10 + nodeNumber(name)}`
}

/** The addresses of the pods on a node. */
export function podRange(name: string): string {
  return `10.244.${nodeNumber(name)}.0/24`
}

/** Routes of one node to the pods of all others, whether these exist yet or not. */
export function routesToOtherNodes(name: string): string[] {
  return allNodeNames()
    .filter((other) => other !== name)
    .map((other) => `route add ${podRange(other)} via ${nodeAddress(other)}`)
}

/** The hosts file of every node. */
export function hostsFile(): string {
  return ['127.0.0.1 localhost', ...allNodeNames().map((name) => `${nodeAddress(name)} ${name}`), ''].join('\n')
}

function allNodeNames(): string[] {
  return Array.from({ length: MOST_NODES }, (_, index) => nodeName(index + 1))
}
