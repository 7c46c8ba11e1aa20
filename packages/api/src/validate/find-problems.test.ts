import { describe, expect, test } from 'vitest'
import { findProblems } from './find-problems.ts'
import { printProblem } from './problem.ts'

const controllerRef = { name: 'c' }
const nodeSet = (fields: object) => findProblems('NodeSet', { spec: { controllerRef, ...fields } }).map(printProblem)

describe('findings are told so that they help', () => {
  const rows: readonly (readonly [name: string, fields: object, said: readonly string[]])[] = [
    [
      'a slip that was ignored silently',
      { slurmd: { imagePullPolcy: 'Always' } },
      [
        'spec.slurmd.imagePullPolcy: a Container of Kubernetes has no field of this name, so it does nothing. Did you mean imagePullPolicy?',
      ],
    ],
    [
      'a field in the wrong place',
      { slurmd: { nodeSelector: {} } },
      ['spec.slurmd.nodeSelector: a Container of Kubernetes has no field of this name, so it does nothing. Remove it.'],
    ],
    [
      'an image that stopped every NodeSet of the world',
      { slurmd: { image: 5 } },
      ['spec.slurmd.image: it must be a text, and it is 5. Put it in quotes: "5".'],
    ],
    [
      'a number in quotes',
      { template: { spec: { terminationGracePeriodSeconds: '30' } } },
      [
        'spec.template.spec.terminationGracePeriodSeconds: it must be a whole number, and it is the text "30". Leave out the quotes: 30.',
      ],
    ],
    [
      'a secret that is shown',
      { slurmd: { stdin: 'hunter2' } },
      ['spec.slurmd.stdin: it must be true or false, and it is a text. Correct it.'],
    ],
    [
      'an amount that is none',
      { slurmd: { resources: { limits: { memory: '4 GB' } } } },
      [
        'spec.slurmd.resources.limits.memory: it must be an amount such as 2, 500m or 4Gi, and it is a text. Correct it.',
      ],
    ],
    [
      'a word that is none',
      { slurmd: { imagePullPolicy: 'always' } },
      ['spec.slurmd.imagePullPolicy: Kubernetes does not know this word here. Did you mean Always?'],
    ],
    [
      'a variable without a name',
      { slurmd: { env: [{ value: 'a' }] } },
      ['spec.slurmd.env[0]: it has no name, by which it is told from the others. Give it a name.'],
    ],
    [
      'a list with nothing in it',
      { slurmd: { args: [null] } },
      ['spec.slurmd.args[0]: it is null, and a list cannot hold that. Remove it.'],
    ],
    [
      'a list that is none',
      { template: { spec: { tolerations: {} } } },
      ['spec.template.spec.tolerations: it must be a list, and it is an object. Correct it.'],
    ],
    [
      'claims that are no list',
      { volumeClaimTemplates: 'a' },
      ['spec.volumeClaimTemplates: it must be a list, and it is a text. Correct it.'],
    ],
    [
      'a directive of patches',
      { slurmd: { $patch: 'delete' } },
      ['spec.slurmd.$patch: a Container of Kubernetes has no field of this name, so it does nothing. Remove it.'],
    ],
    [
      'a key with a dot',
      { template: { spec: { 'a.b': 1 } } },
      ['spec.template.spec["a.b"]: a PodSpec of Kubernetes has no field of this name, so it does nothing. Remove it.'],
    ],
    [
      'a key of every object',
      { slurmd: JSON.parse('{"__proto__": 1, "constructor": 2}') as object },
      [
        'spec.slurmd.__proto__: a Container of Kubernetes has no field of this name, so it does nothing. Remove it.',
        'spec.slurmd.constructor: a Container of Kubernetes has no field of this name, so it does nothing. Remove it.',
      ],
    ],
    [
      'a negative padding that stopped every NodeSet of the world',
      { ordinalPadding: -1 },
      ['spec.ordinalPadding: -1 is too small. Write at least 0.'],
    ],
    [
      'a mode that is none',
      { scalingMode: 'Daemonset' },
      ['spec.scalingMode: this word means nothing here. Did you mean DaemonSet?'],
    ],
    [
      'two lines in a partition',
      { partition: { config: 'a\nb' } },
      ['spec.partition.config: it has characters or a form that are not allowed. It must match ^[^\\n]+$.'],
    ],
    ['the smallest number that 32 bits can hold', { slurmd: { livenessProbe: { periodSeconds: -(2 ** 31) } } }, []],
    ['null where it means nothing', { slurmd: { lifecycle: null }, volumeClaimTemplates: null, template: null }, []],
    ['what a chart writes', { slurmd: { args: [], resources: {}, env: [{ name: 'A', value: '' }] } }, []],
  ]
  for (const [name, fields, said] of rows) test(name, () => expect(nodeSet(fields)).toEqual(said))
})

test('a reference that is missing is told, a default is not missed', () => {
  expect(findProblems('NodeSet', { spec: { ssh: {} } }).map(printProblem)).toEqual([
    'spec.controllerRef: it is missing. Add it.',
  ])
  expect(findProblems('RestApi', {}).map(printProblem)).toEqual(['spec.controllerRef: it is missing. Add it.'])
})

test('a Secret without a name is looked for', () => {
  const spec = { server: 'http://slurm:6820', token: { secretRef: { name: '' } } }
  expect(findProblems('Cluster', { spec }).map(printProblem)).toEqual([
    'spec.token.secretRef.name: it is too short. Use at least 1 characters.',
  ])
})

test('a million problems do not fill the status', () => {
  const slurmd = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`x${index}`, 1]))
  expect(nodeSet({ slurmd })).toHaveLength(50)
})
