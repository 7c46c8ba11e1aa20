import { describe, expect, test } from 'vitest'
import { findForbiddenWords } from './forbidden-words.ts'

// In pieces, because this file is checked as well.
const join = (...pieces: readonly string[]): string => pieces.join('')
const npmHost = ['registry', 'npmjs', 'org'].join('.')
const inFile = (path: string, text: string): string[] => findForbiddenWords([{ path, text }])

const accidents = [
  { name: 'the lock file names a registry', path: 'package-lock.json', text: `"https://${npmHost}/yaml"` },
  { name: 'Go checksums name a proxy', path: 'go.sum', text: ['proxy', 'golang', 'org'].join('.') },
  { name: 'a mirror hides behind a port', path: 'src/a.ts', text: `${['deb', 'debian', 'org'].join('.')}:80` },
  { name: 'a subdomain hides a registry', path: 'a.md', text: ['static', 'crates', 'io'].join('.') },
  { name: 'a path works on one machine only', path: 'docs/a.md', text: join('cd /wo', 'rk/main/docs') },
  { name: 'work is promised instead of done', path: 'src/a.ts', text: join('// TO', 'DO: later') },
  { name: 'one test silences the others', path: 'src/a.test.ts', text: join('test', ".only('x', f)") },
  { name: 'a table test silences the others', path: 'src/a.test.ts', text: join('test', '.only.each(rows)') },
  { name: 'a test is skipped for ever', path: 'src/a.test.ts', text: join('describe', ".skip('x', f)") },
  { name: 'a test is skipped without a word', path: 'src/a.test.ts', text: join('context.ski', 'p()') },
  { name: 'a test is skipped on a condition nobody is told', path: 'src/a.test.ts', text: join('it.ski', 'pIf(x)(f)') },
  { name: 'the text tells how it was written', path: 'README.md', text: join('written by a language', ' model') },
]

describe('forbidden words prevent that', () => {
  for (const { name, path, text } of accidents) {
    test(name, () => expect(inFile(path, text)).toHaveLength(1))
  }
})

const harmless = [
  { name: 'temporary file patterns', path: 'a.sh', text: 'mktemp -d /tmp/slurm-XXXXXX' },
  { name: 'a skip with a reason', path: 'src/a.test.ts', text: "({ skip }) => skip(!isRoot, 'needs root')" },
  { name: 'other hosts', path: 'README.md', text: 'https://slurm.schedmd.com and https://go.dev' },
  { name: 'longer words', path: 'a.md', text: 'todos, farming /farmers, hackathon, login session' },
  { name: 'words in checksums', path: 'go.sum', text: join('h1:abc+TO', 'DO+xyz=') },
]

describe('forbidden words leave alone', () => {
  for (const { name, path, text } of harmless) {
    test(name, () => expect(inFile(path, text)).toEqual([]))
  }
})

test('a finding tells file, line, word and reason', () => {
  expect(inFile('docs/a.md', `fine\nsee ${npmHost}\n`)).toEqual([
    `docs/a.md:2: "${npmHost}": where packages come from is decided by the settings of the machine, not here`,
  ])
})
