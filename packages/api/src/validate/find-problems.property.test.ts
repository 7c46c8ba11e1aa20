import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { valueSchema, type JsonValue } from '@slurm-operator/kube'
import { freeFormFields } from './check-free-form.ts'
import { findProblems } from './find-problems.ts'
import { anyFreeForm, anySlip, listKeys, replaceAt, type Place } from './gen.ts'
import { below } from './problem.ts'
import { withoutUnknownKeys } from './without-unknown-keys.ts'
import type { OurKind } from '../kinds/all.ts'
import type { FreeFormType } from '../schema/schema.ts'

const key = { name: 's', key: 'k' }
const nodeSet = { controllerRef: { name: 'c' } }

/** One field of each type. */
const places: Readonly<
  Record<FreeFormType, { readonly kind: OurKind; readonly path: string; readonly in: (value: JsonValue) => object }>
> = {
  PodSpec: { kind: 'NodeSet', path: 'spec.template.spec', in: (spec) => ({ ...nodeSet, template: { spec } }) },
  Container: { kind: 'NodeSet', path: 'spec.slurmd', in: (slurmd) => ({ ...nodeSet, slurmd }) },
  ServiceSpec: {
    kind: 'Controller',
    path: 'spec.service.spec',
    in: (spec) => ({ slurmKeyRef: key, service: { spec } }),
  },
  PersistentVolumeClaims: {
    kind: 'NodeSet',
    path: 'spec.volumeClaimTemplates',
    in: (volumeClaimTemplates) => ({ ...nodeSet, volumeClaimTemplates }),
  },
}

for (const type of Object.keys(places) as FreeFormType[]) {
  const place = places[type]
  const problemsOf = (value: JsonValue) => findProblems(place.kind, { spec: place.in(value) })
  const pathOf = (at: Place) => at.reduce<string>(below, place.path)

  describe(type, () => {
    test('whatever is right has no problems, and nothing of it is left out', () => {
      fc.assert(
        fc.property(anyFreeForm(type), (value) => {
          expect(problemsOf(value)).toEqual([])
          const object = { spec: place.in(value) }
          expect(withoutUnknownKeys(place.kind, object)).toEqual(object)
        }),
      )
    })

    test('every slip in a name is found where it is, and left out', () => {
      fc.assert(
        fc.property(anyFreeForm(type), anySlip, fc.nat(), (value, slip, which) => {
          const keys = listKeys(value, freeFormFields[type])
          fc.pre(keys.length > 0)
          const at = keys[which % keys.length] ?? []
          const wrong = slip(String(at.at(-1)))
          fc.pre(!isKnown(wrong) && wrong !== '')
          const broken = replaceAt(value, at, (_, part) => [wrong, part])
          expect(problemsOf(broken)).toContainEqual(
            expect.objectContaining({ path: pathOf([...at.slice(0, -1), wrong]), severity: 'warning' }),
          )
          const cleaned = withoutUnknownKeys(place.kind, { spec: place.in(broken) })
          const left = findProblems(place.kind, cleaned).filter(({ severity }) => severity === 'warning')
          expect(left).toEqual([])
        }),
      )
    })

    test('every value of a wrong type is an error where it is', () => {
      fc.assert(
        fc.property(anyFreeForm(type), fc.nat(), (value, which) => {
          const keys = listKeys(value, freeFormFields[type]).filter((at) => at.at(-1) !== 'fieldsV1')
          fc.pre(keys.length > 0)
          const at = keys[which % keys.length] ?? []
          const broken = replaceAt(value, at, (name, part) => [name, wrongFor(part)])
          expect(problemsOf(broken)).toContainEqual(expect.objectContaining({ path: pathOf(at), severity: 'error' }))
        }),
      )
    })
  })
}

/** The name of a field of any type: then it may be right there. */
function isKnown(name: string): boolean {
  return Object.values(valueSchema).some((fields) => Object.hasOwn(fields, name))
}

/** Something that no field with such a value may hold. */
function wrongFor(value: JsonValue): JsonValue {
  return Array.isArray(value) || typeof value !== 'object' ? { a: 1 } : 1.5
}

test('no object at all makes it throw', () => {
  fc.assert(
    fc.property(fc.constantFrom<OurKind>('NodeSet', 'Controller', 'Cluster'), anyNonsense(), (kind, spec) => {
      findProblems(kind, { spec })
      withoutUnknownKeys(kind, { spec })
    }),
  )
})

function anyNonsense() {
  const names = ['template', 'spec', 'slurmctld', 'slurmd', 'env', '__proto__', 'constructor', 'toString', 'containers']
  return fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.jsonValue(),
      fc.array(tie('value')),
      fc.dictionary(fc.constantFrom(...names), tie('value')),
    ),
  })).value
}
