/** Test data of this room. */
import fc from 'fast-check'

const SUFFIXES = [
  '',
  'n',
  'u',
  'm',
  'k',
  'M',
  'G',
  'T',
  'P',
  'E',
  'Ki',
  'Mi',
  'Gi',
  'Ti',
  'Pi',
  'Ei',
  'e3',
  'E-2',
  'e+7',
]
const digits = (options: { minLength: number }) =>
  fc.string({ unit: fc.integer({ min: 0, max: 9 }).map(String), ...options, maxLength: 12 })

/** Any text that is an amount. */
export const anyQuantityText: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('', '+', '-'),
    digits({ minLength: 1 }),
    fc.option(digits({ minLength: 0 })),
    fc.constantFrom(...SUFFIXES),
  )
  .map(([sign, whole, decimals, suffix]) => `${sign}${whole}${decimals === null ? '' : `.${decimals}`}${suffix}`)
