import { describe, expect, test } from 'vitest'
import { buildSbom, type Contents } from './sbom.ts'

const contents: Contents = {
  image: 'slurm-operator',
  version: '1.2',
  nodeVersion: '24.0.0',
  suite: 'trixie',
  packages: [{ name: 'libstdc++6', version: '14.2.0-19', architecture: 'amd64', sha256: 'abc', control: '' }],
  libraries: [{ name: '@a/b', version: '1.0.0', license: 'MIT' }],
}

describe('the list of contents prevents that', () => {
  test('a scanner does not understand where a part comes from', () => {
    const { components, bomFormat, specVersion } = JSON.parse(buildSbom(contents)) as Record<string, never>
    expect({ bomFormat, specVersion }).toEqual({ bomFormat: 'CycloneDX', specVersion: '1.6' })
    expect(components).toMatchObject([
      { name: 'node', purl: 'pkg:generic/node@24.0.0' },
      { name: 'libstdc++6', purl: 'pkg:deb/debian/libstdc%2B%2B6@14.2.0-19?arch=amd64&distro=trixie' },
      { name: '@a/b', purl: 'pkg:npm/%40a/b@1.0.0', licenses: [{ license: { id: 'MIT' } }] },
    ])
  })

  test('the time of building makes two images of the same content different', () => {
    expect(buildSbom(contents)).toBe(buildSbom({ ...contents }))
    expect(buildSbom(contents)).not.toMatch(/timestamp|serialNumber/)
  })
})
