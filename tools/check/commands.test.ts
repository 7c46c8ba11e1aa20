import { expect, test } from 'vitest'
import { findBrokenCommands } from './commands.ts'

const packageFile = (path: string, scripts: Record<string, string>) => ({ path, text: JSON.stringify({ scripts }) })
const source = (path: string) => ({ path, text: '' })

test('a script that runs a renamed file is found', () => {
  const files = [packageFile('package.json', { check: 'node tools/check.ts --all' })]
  expect(findBrokenCommands(files, [])).toEqual(['package.json "check": runs tools/check.ts, which does not exist'])
})

test('scripts of a package are read from its own folder', () => {
  const files = [packageFile('packages/kube/package.json', { go: 'node src/go.ts' }), source('packages/kube/src/go.ts')]
  expect(findBrokenCommands(files, [])).toEqual([])
})

test('programs, options and folders are not taken for files', () => {
  expect(findBrokenCommands([packageFile('package.json', { format: 'oxfmt --write . tools' })], [])).toEqual([])
})

test('what the first file of npm start goes on with must exist too', () => {
  expect(findBrokenCommands([source('tools/test.ts')], ['tools/test.ts', 'tools/gone.ts'])).toHaveLength(1)
})
