/**
 * Words that must not be in the repository: they tie it to one machine or network, or promise work instead of doing it.
 * The words are put together from pieces here, so that this file does not accuse itself.
 *
 * @module
 */
import { posix } from 'node:path'
import type { ProjectFile } from '../project.ts'

interface Rule {
  readonly pattern: RegExp
  readonly because: string
  readonly onlyIn?: RegExp
}

const word = (...pieces: readonly string[]): string => pieces.join('')
const host = (...labels: readonly string[]): string => labels.join('.')
const anyOf = (words: readonly string[], flags = ''): RegExp =>
  new RegExp(`(?<![\\w-])(?:${words.map((text) => RegExp.escape(text)).join('|')})(?![\\w-])`, flags)

const registryHosts = [
  host('proxy', 'golang', 'org'),
  host('sum', 'golang', 'org'),
  host('registry', 'npmjs', 'org'),
  host('registry', 'yarnpkg', 'com'),
  host('deb', 'debian', 'org'),
  host('ftp', 'debian', 'org'),
  host('security', 'debian', 'org'),
  host('snapshot', 'debian', 'org'),
  host('archive', 'ubuntu', 'com'),
  host('pypi', 'org'),
  host('files', 'pythonhosted', 'org'),
  host('crates', 'io'),
  host('rubygems', 'org'),
]

const hostRule: Rule = {
  pattern: anyOf(registryHosts, 'i'),
  because: 'where packages come from is decided by the settings of the machine, not here',
}

const textRules: readonly Rule[] = [
  {
    pattern: new RegExp(`/(?:${word('wo', 'rk')}/(?:main|shared)|${word('fa', 'rm')})(?![\\w-])`),
    because: 'this path exists on one machine only',
  },
  {
    pattern: anyOf([word('TO', 'DO'), word('FIX', 'ME'), word('XX', 'X'), word('HA', 'CK')]),
    because: 'do it, or open an issue',
  },
  {
    pattern: anyOf(
      [
        word('sub', 'agent'),
        word('sub', 'agents'),
        word('coding ', 'agent'),
        word('coding ', 'agents'),
        word('language ', 'model'),
        word('language ', 'models'),
        word('Clau', 'de'),
        word('earlier ', 'session'),
        word('previous ', 'session'),
        word('my ', 'session'),
        word('developer ', 'session'),
      ],
      'i',
    ),
    because: 'the text is about the project, not about how it was written',
  },
  {
    pattern: /\b(?:it|test|describe|suite)(?:\.\w+)*\.only\b/,
    because: 'it silences all other tests',
    onlyIn: /\.test\.ts$/,
  },
  {
    pattern: /\b(?:it|test|describe|suite)(?:\.\w+)*\.(?:skip|skipIf|runIf)\(|\bskip\(\s*\)/,
    because: "a skipped test tells its reason: ({ skip }) => skip(condition, 'why')",
    onlyIn: /\.test\.ts$/,
  },
]

const HOSTS_ONLY = new Set(['go.sum', 'package-lock.json', 'LICENSE'])

/** Every forbidden word with its place, one line each. */
export function findForbiddenWords(files: readonly ProjectFile[]): string[] {
  return files.flatMap((file) => rulesFor(file.path).flatMap((rule) => findingsOf(rule, file)))
}

function rulesFor(path: string): readonly Rule[] {
  if (HOSTS_ONLY.has(posix.basename(path))) return [hostRule]
  return [hostRule, ...textRules.filter(({ onlyIn }) => onlyIn?.test(path) ?? true)]
}

function findingsOf({ pattern, because }: Rule, { path, text }: ProjectFile): string[] {
  return text.split('\n').flatMap((line, index) => {
    const found = pattern.exec(line)?.[0]
    return found === undefined ? [] : [`${path}:${index + 1}: "${found}": ${because}`]
  })
}
