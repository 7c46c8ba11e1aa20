import { expect, test } from 'vitest'
import { hostsFile, nodeAddress, nodeName, nodeNumber, podRange, routesToOtherNodes } from './layout.ts'

test('two nodes share an address or a pod range', () => {
  const names = Array.from({ length: 30 }, (_, index) => nodeName(index + 1))
  expect(new Set(names.map(nodeAddress)).size).toBe(30)
  expect(new Set(names.map(podRange)).size).toBe(30)
})

test('a node sends packets for its own pods to itself by way of the network', () => {
  expect(routesToOtherNodes('n3').join('\n')).not.toContain(podRange('n3'))
  expect(routesToOtherNodes('n3')).toContain('route add 10.244.7.0/24 via 10.88.0.17')
})

test('a name that is no node gets an address', () => {
  for (const name of ['n0', 'n31', 'nine', 'n1x']) expect(() => nodeNumber(name)).toThrow('Cannot find node')
})

test('a node does not know the others by name', () => {
  expect(hostsFile()).toContain('10.88.0.12 n2\n')
})
