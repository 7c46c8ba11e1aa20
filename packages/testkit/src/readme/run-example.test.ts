import { describe, expect, test } from 'vitest'
import { findExamples, runExample } from './run-example.ts'

const fence = '```'
const readme = `# a package

## First
Some words.

${fence}ts
import { parseQuantity } from '@slurm-operator/kube'
console.log(typeof parseQuantity, process.env['WORD'])
// prints: function given
${fence}

## Without an example

## Second
${fence}
no program
${fence}
${fence}ts
console.log('one\\ntwo')
// prints: one
// prints: three
${fence}
`

describe('the examples of a README', () => {
  test('one is not found, or taken for that of another heading', () => {
    expect(findExamples(readme).map(({ title, prints }) => [title, ...prints])).toEqual([
      ['First', 'function given'],
      ['Second', 'one', 'three'],
    ])
  })

  test('one prints something else than it says, and nobody notices', async () => {
    const [first, second] = findExamples(readme)
    if (first === undefined || second === undefined) throw new Error('there must be two')
    expect(await runExample(first, { WORD: 'given' })).toEqual(first.prints)
    expect(await runExample(second, {})).toEqual(['one', 'two'])
    await expect(runExample({ ...first, code: 'process.exit(3)' }, {})).rejects.toMatchObject({ code: 3 })
  })
})
