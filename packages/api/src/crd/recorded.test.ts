import { expect, test } from 'vitest'
import type { OurKind } from '../kinds/all.ts'
import { findProblems } from '../validate/find-problems.ts'
import { printProblem } from '../validate/problem.ts'
import { readAllRecorded, whyNoCompat } from './gen-compat.ts'

test('the validator finds fault with objects that work', ({ skip }) => {
  skip(whyNoCompat !== undefined, whyNoCompat)
  const recorded = readAllRecorded().filter(({ file }) => !file.includes('schema-refusals'))
  const found = recorded.flatMap(({ file, object }) =>
    findProblems(object.kind as OurKind, object).map((problem) => `${file} ${printProblem(problem)}`),
  )
  expect(recorded.length).toBeGreaterThan(250)
  expect(found).toEqual([
    'cases/controller-wrong-type/input.yaml spec.slurmctld.image: it must be a text, and it is 5. Put it in quotes: "5".',
    'cases/restapi-negative/input.yaml spec.replicas: -1 is too small. Write at least 0.',
  ])
})
