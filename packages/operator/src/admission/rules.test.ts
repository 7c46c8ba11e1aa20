import { describe, expect, test } from 'vitest'
import { rows } from './gen-rows.ts'
import { beginnings, judgeAt, objectOf, requestOf, type Row, type ValidatedKind } from './gen.ts'

for (const [kind, cases] of Object.entries(rows) as [ValidatedKind, readonly Row[]][]) {
  describe(`admission of a ${kind} prevents that`, () => {
    for (const { name, spec, metadata, before, world, errors = [], warnings = [] } of cases) {
      test(name, async () => {
        const oldObject = before === undefined ? {} : { oldObject: objectOf(kind, before, metadata) }
        const said = await judgeAt(kind, requestOf({ object: objectOf(kind, spec, metadata), ...oldObject }), world)
        expect(beginnings(said.errors, errors)).toEqual(errors)
        expect(beginnings(said.warnings, warnings)).toEqual(warnings)
      })
    }
  })
}
