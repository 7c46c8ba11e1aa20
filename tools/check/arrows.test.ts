import { describe, expect, test } from 'vitest'
import { findWrongArrows } from './arrows.ts'

const importing = (from: string, specifier: string, typeOnly = false): string[] =>
  findWrongArrows([{ from, specifier, typeOnly }])

const refused = [
  {
    name: 'the client library learns about loops',
    from: 'packages/kube/src/client.ts',
    specifier: '@slurm-operator/runtime',
    why: 'kube may import nothing of ours',
  },
  {
    name: 'shipped code starts a local Kubernetes',
    from: 'packages/operator/src/manager.ts',
    specifier: '@slurm-operator/local',
    why: 'operator may import only kube, runtime, slurm, api',
  },
  {
    name: 'shipped code depends on the test kit',
    from: 'packages/runtime/src/queue.ts',
    specifier: '@slurm-operator/testkit',
    why: 'runtime may import only kube',
  },
  {
    name: 'a test reaches into the operator from below',
    from: 'packages/kube/src/client.test.ts',
    specifier: '@slurm-operator/operator',
    why: 'kube may import nothing of ours',
  },
  {
    name: 'a relative path walks around the arrows',
    from: 'packages/kube/src/client.ts',
    specifier: '../../runtime/src/queue.ts',
    why: 'relative imports stay inside packages/kube',
  },
  {
    name: 'an import passes by the door of a package',
    from: 'packages/runtime/src/queue.ts',
    specifier: '@slurm-operator/kube/src/client.ts',
    why: 'only the door of a package is open: @slurm-operator/kube',
  },
  {
    name: 'a package appears that nobody has drawn an arrow for',
    from: 'packages/utils/src/index.ts',
    specifier: 'node:fs',
    why: 'package utils has no row',
  },
  {
    name: 'the dashboard carries code of the api package into a browser',
    from: 'packages/dashboard/src/page.ts',
    specifier: '@slurm-operator/api',
    why: 'dashboard may import only type api',
  },
]

describe('package arrows prevent that', () => {
  for (const { name, from, specifier, why } of refused) {
    test(name, () => {
      const [finding, ...others] = importing(from, specifier)
      expect(finding).toContain(why)
      expect(finding).toContain(from)
      expect(others).toEqual([])
    })
  }
})

describe('package arrows allow', () => {
  test('what the table allows', () => {
    expect(importing('packages/local/src/index.ts', '@slurm-operator/kube')).toEqual([])
  })

  test('files of the same package and packages of others', () => {
    expect(importing('packages/kube/src/watch/watch.ts', '../client.ts')).toEqual([])
    expect(importing('packages/kube/src/watch/watch.ts', 'yaml')).toEqual([])
  })

  test('tests and test data to use the test kit and a local Kubernetes', () => {
    expect(importing('packages/kube/src/client.api.test.ts', '@slurm-operator/local')).toEqual([])
    expect(importing('packages/operator/src/nodeset/gen.ts', '@slurm-operator/testkit')).toEqual([])
  })

  test('the dashboard to know the types of the api package', () => {
    expect(importing('packages/dashboard/src/page.ts', '@slurm-operator/api', true)).toEqual([])
  })

  test('tools to import anything', () => {
    expect(importing('tools/check.ts', '../packages/local/src/index.ts')).toEqual([])
  })
})
