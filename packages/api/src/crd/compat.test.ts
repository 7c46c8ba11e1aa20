import { expect, test } from 'vitest'
import type { JsonValue } from '@slurm-operator/kube'
import { kinds, type OurKind } from '../kinds/all.ts'
import { buildCrd } from './build-crd.ts'
import { readCrd, whyNoCompat } from './gen-compat.ts'
import { findSchemaDifferences } from './gen-differences.ts'

const kindsOfReference = Object.keys(kinds).filter((kind) => kind !== 'Cluster') as OurKind[]

/** Everything in which our CRDs differ, with the reason. Whatever matches no line is a mistake. */
const differences: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/ \+ spec\.names\.categories$/, '`kubectl get slurm` shows all kinds'],
  [/ \+ additionalPrinterColumns\./, 'READY, REASON and what Slurm says; the columns of the reference stay'],
  [/ \+ required$/, 'an object without a spec means nothing'],
  [/ \+ x-kubernetes-validations$/, 'names that are too long for pods, Services and labels fail late'],
  [/ \+ status\.(observedGeneration|slurm|readyReplicas|replicas|selector)$/, 'a status that tells the truth'],
  [/^NodeSet \+ status\.(waiting|waitingReplicas|slurmNodes|reservation)$/, 'who waits for what; WP-11'],
  [/^Token \+ status\.(expirationTime|nextRenewalTime)$/, 'when the token ends and is renewed'],
  [/^(LoginSet|NodeSet) - status\.required$/, 'the first write says only that nobody has looked yet'],
  [/ \+ spec\..*\.(name|key|existingClaim)\.maxLength$/, 'no object has a longer name'],
  [/ \+ spec\..*\.(port|nodePort)\.(minimum|maximum)$/, 'bounds of ports'],
  [/ \+ spec\.externalConfig\.port\.default$/, 'the port that docs and values promise'],
  [/ \+ spec\.externalConfig\.host\.(pattern|maxLength)$/, 'no injected line'],
  [/^Controller \+ spec\.clusterName\.(pattern|maxLength)$/, 'no injected line, and at most 40 characters'],
  [/^Accounting \+ spec\.storageConfig\.(host|database|username)\.pattern$/, 'no injected line'],
  [
    /^(Controller|Accounting) ~ spec\.x-kubernetes-validations$/,
    'the same rules in other words; storageConfig is needed',
  ],
  [/^Controller \+ spec\.ha\.backups\.maximum$/, 'each is a line of slurm.conf, and memory has an end'],
  [/ \+ spec\.(replicas|minReadySeconds|revisionHistoryLimit|ordinalPadding)\.(minimum|maximum)$/, 'bounds of counts'],
  [/^NodeSet [+~] spec\.ssh\.(required|x-kubernetes-validations)$/, 'sssd.conf is needed only when SSH is on'],
  [/^NodeSet \+ spec\.updateStrategy\.rollingUpdate\.maxUnavailable\./, 'an update that never begins is refused'],
  [/^NodeSet \+ spec\.updateStrategy\.scheduledUpdate\.duration\./, 'a duration that nobody can read is refused'],
  [/^NodeSet ~ spec\.updateStrategy\.x-kubernetes-validations$/, 'the same rule in other words'],
  [/^Token \+ spec\.(lifetime|username)\./, 'no hot loop, no line break'],
]

function findAll(): string[] {
  return kindsOfReference.flatMap((kind) => {
    const ours = JSON.parse(JSON.stringify(buildCrd(kinds[kind]))) as JsonValue
    return findSchemaDifferences(readCrd(kind), ours).map((line) => `${kind} ${shortened(line)}`)
  })
}

function shortened(line: string): string {
  return line.replace(/spec\.versions\."v1beta1"\.(schema\.openAPIV3Schema\.)?/, '').replaceAll('properties.', '')
}

test('a manifest for the reference is refused or loses a field', ({ skip }) => {
  skip(whyNoCompat !== undefined, whyNoCompat)
  const found = findAll()
  expect(found.filter((line) => !differences.some(([pattern]) => pattern.test(line)))).toEqual([])
  expect(differences.filter(([pattern]) => !found.some((line) => pattern.test(line)))).toEqual([])
})

test('the comparison sees a lost field, a new one and a changed one', () => {
  const reference = { properties: { a: { type: 'string' }, b: {}, description: {} }, description: 'x' }
  const ours = { properties: { a: { type: 'integer' }, c: {} }, description: 'y' }
  expect(findSchemaDifferences(reference, ours)).toEqual([
    '~ properties.a.type',
    '- properties.b',
    '+ properties.c',
    '- properties.description',
  ])
})
