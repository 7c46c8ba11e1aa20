import { expect, test } from 'vitest'
import { whyInvalidLabelKey } from '@slurm-operator/kube'
import { annotationKeys, hashAnnotations } from './annotations.ts'
import { podNodeStates, podStateCondition } from './conditions.ts'
import { childLabels, labelKeys, selectorLabels } from './labels.ts'

test('a selector never has more than what can never change', () => {
  expect(selectorLabels('controller', 'a')).toEqual({
    'app.kubernetes.io/name': 'slurmctld',
    'app.kubernetes.io/instance': 'a',
  })
})

test('a child says whose it is, what it is, and who made it', () => {
  expect(childLabels('worker', 'gpu')).toEqual({
    'app.kubernetes.io/name': 'slurmd',
    'app.kubernetes.io/instance': 'gpu',
    'app.kubernetes.io/component': 'worker',
    'app.kubernetes.io/part-of': 'slurm',
    'app.kubernetes.io/managed-by': 'slurm-operator',
  })
})

test('all keys are legal, and none is there twice', () => {
  const keys = [labelKeys, annotationKeys, hashAnnotations].flatMap((one) => Object.values<string>(one))
  expect(keys.filter((key) => whyInvalidLabelKey(key) !== undefined)).toEqual([])
  expect(new Set(keys).size).toBe(keys.length)
})

test('pods carry the states that dashboards of the reference look for', () => {
  expect(podNodeStates.map(podStateCondition)).toContain('SlurmNodeStateNotResponding')
  expect(podNodeStates).toHaveLength(15)
})
