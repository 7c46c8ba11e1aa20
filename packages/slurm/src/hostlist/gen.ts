import fc from 'fast-check'

/** Prefixes that make folding and sorting hard: digits inside, zeros in front of digits, one inside the other. */
const anyPrefix = fc.constantFrom('', 'a', 'b', 'gpu-', 'r1n', 'a1-', 'Z', 'a10x', 'a9x', 'node', 'x.y-', 'r05n', 'r5n')

const anyNumber = fc
  .oneof(fc.nat(5), fc.nat(12), fc.integer({ min: 95, max: 105 }), fc.nat(1200))
  .chain((value) => fc.constantFrom(0, 0, 2, 3, 4).map((width) => String(value).padStart(width, '0')))

const anyEnding = fc.oneof(
  { weight: 5, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom('x', '-ib', '.com') },
)

/** A host name such as people and clouds make them. */
const anyHostName: fc.Arbitrary<string> = fc
  .tuple(anyPrefix, fc.option(anyNumber, { nil: '', freq: 7 }), anyEnding)
  .map((parts) => parts.join('').replace(/^(?=-|$)/, 'n')) // nobody begins a name like an option

/** Names, some of them twice. */
export const anyHostNames: fc.Arbitrary<string[]> = fc.array(anyHostName, { maxLength: 40 })

const anyRange = fc.tuple(anyNumber, fc.option(fc.nat(15)), fc.constantFrom(0, 3)).map(([first, more, width]) => {
  return more === null ? first : `${first}-${String(Number(first) + more).padStart(width, '0')}`
})

const anyBracket = fc.array(anyRange, { minLength: 1, maxLength: 3 }).map((ranges) => `[${ranges.join(',')}]`)

const anyItem = fc
  .tuple(anyPrefix, fc.array(fc.tuple(anyBracket, fc.constantFrom('', 'n', '-x', '5')), { minLength: 1, maxLength: 2 }))
  .map(([prefix, parts]) => prefix + parts.map((part) => part.join('')).join(''))

/** A hostlist as people write them: names, ranges, several brackets. At most some thousand names. */
export const anyHostlist: fc.Arbitrary<string> = fc
  .array(fc.oneof({ weight: 2, arbitrary: anyHostName }, { weight: 1, arbitrary: anyItem }), {
    minLength: 1,
    maxLength: 5,
  })
  .map((items) => items.join(','))
