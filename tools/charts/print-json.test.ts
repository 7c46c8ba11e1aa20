import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ROOT } from '../project.ts'
import { printJson } from './print-json.ts'

test('another value is read than was written', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      expect(JSON.parse(printJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('the formatter changes what the generator has written', () => {
  const long = Array.from({ length: 30 }, (_, index) => `word${index}`)
  const input = printJson({ a: { b: ['string', 'null'], c: {}, d: [] }, e: long, f: [{ g: 1 }], h: null })
  const program = join(ROOT, 'node_modules', '.bin', 'oxfmt')
  const { stdout } = spawnSync(program, ['--stdin-filepath=x.json'], { cwd: ROOT, input, encoding: 'utf8' })
  expect(stdout).toBe(input)
})
