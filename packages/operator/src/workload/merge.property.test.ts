import type { Container, JsonObject } from '@slurm-operator/kube'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyUserPart, baseContainer, basePod } from './gen.ts'
import { mergeContainer } from './merge-container.ts'
import { mergePodSpec } from './merge-pod-spec.ts'

test('no user input makes merging throw, change its arguments or reach a prototype', () => {
  fc.assert(
    fc.property(anyUserPart, (user) => {
      const before = JSON.stringify([baseContainer, basePod, user])
      mergeContainer(baseContainer, user, 'path')
      mergePodSpec(basePod, user, 'path')
      expect(JSON.stringify([baseContainer, basePod, user])).toBe(before)
      expect(Object.keys(Object.prototype)).toEqual([])
    }),
  )
})

test('a user who says nothing changes nothing', () => {
  for (const nothing of [undefined, null, {}, { args: [], env: null }]) {
    expect(mergeContainer(baseContainer, nothing, 'path')).toEqual({ value: baseContainer, problems: [] })
    expect(mergePodSpec(basePod, nothing, 'path')).toEqual({ value: basePod, problems: [] })
  }
})

const anyScalar = fc.oneof(fc.boolean(), fc.integer(), fc.string())
const scalarFields = ['image', 'workingDir', 'tty', 'stdin', 'imagePullPolicy', 'terminationMessagePath', '__proto__']

test('a scalar of the user wins, whatever it is', () => {
  fc.assert(
    fc.property(fc.constantFrom(...scalarFields), anyScalar, (field, scalar) => {
      const user = Object.fromEntries([[field, scalar]])
      const { value } = mergeContainer(baseContainer, user, 'path')
      expect(Object.getOwnPropertyDescriptor(value, field)?.value).toBe(scalar)
    }),
  )
})

const anyMounts = fc.uniqueArray(fc.constantFrom<string>('/a', '/b', '/etc/slurm', '/c', '/var/log/slurm'), {
  minLength: 1,
})

test('merged lists keep the order of both sides', () => {
  fc.assert(
    fc.property(anyMounts, (mountPaths) => {
      const user = { volumeMounts: mountPaths.map((mountPath) => ({ name: 'x', mountPath })) }
      const merged = pathsOf(mergeContainer(baseContainer, user, 'path').value)
      const ours = pathsOf(baseContainer)
      expect(merged.filter((each) => mountPaths.includes(each))).toEqual(mountPaths)
      const untouched = ours.filter((each) => !mountPaths.includes(each))
      expect(merged.filter((each) => untouched.includes(each))).toEqual(untouched)
    }),
  )
})

test('entries of the user come first where there is a choice', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.constantFrom('/a', '/b', '/c')), (mountPaths) => {
      const user = { volumeMounts: mountPaths.map((mountPath) => ({ name: 'x', mountPath })) }
      const merged = pathsOf(mergeContainer(baseContainer, user, 'path').value)
      expect(merged).toEqual([...mountPaths, ...pathsOf(baseContainer)])
    }),
  )
})

test('what is merged once and merged again with the same user part says the same, apart from joined arguments', () => {
  fc.assert(
    fc.property(anyUserPart, ({ args: _joined, env: _joinedToo, ...user }: JsonObject) => {
      const once = mergeContainer(baseContainer, user, 'path')
      fc.pre(once.problems.length === 0)
      expect(mergeContainer(once.value, user, 'path').value).toEqual(once.value)
    }),
  )
})

function pathsOf({ volumeMounts }: Container): string[] {
  return (volumeMounts ?? []).map(({ mountPath }) => mountPath)
}
