import { parseInt64 } from './match-labels.ts'
import {
  sortRequirements,
  SelectorError,
  whyInvalidRequirement,
  type Requirement,
  type Selector,
} from './requirement.ts'

const TOKEN = /[ \t\r\n]*(==|!=|[=!(),<>]|[^ \t\r\n=!(),<>]+)/gy
const SYMBOL = /^[=!(),<>]/

/** Read the text form, as in `kubectl get -l`: `a=b,c!=d,e in (x,y),f notin (z),g,!h,i>5`. Empty means all. */
export function parseSelector(text: string): Selector {
  const reader = new TokenReader(text)
  const requirements: Requirement[] = []
  while (reader.next() !== undefined) {
    const requirement = readRequirement(reader)
    const why = whyInvalidRequirement(requirement)
    if (why !== undefined) throw reader.refusal(why)
    requirements.push(requirement)
    if (reader.next() === undefined) break
    reader.expect(',')
    if (reader.next() === undefined) throw reader.surprise('after a ","')
  }
  return sortRequirements(requirements)
}

class TokenReader {
  readonly #text: string
  readonly #tokens: readonly string[]
  #position = 0

  constructor(text: string) {
    this.#text = text
    this.#tokens = [...text.trim().matchAll(TOKEN)].map(([, token = '']) => token)
  }

  next(): string | undefined {
    return this.#tokens[this.#position]
  }

  take(): string | undefined {
    const token = this.next()
    this.#position++
    return token
  }

  takeIf(wanted: string): boolean {
    if (this.next() !== wanted) return false
    this.#position++
    return true
  }

  takeWord(where: string): string {
    const word = this.next()
    if (word === undefined || SYMBOL.test(word)) throw this.surprise(where)
    this.#position++
    return word
  }

  expect(wanted: string): void {
    if (!this.takeIf(wanted)) throw this.surprise(`where ${JSON.stringify(wanted)} is expected`)
  }

  surprise(where: string): SelectorError {
    const found = this.next()
    return this.refusal(`found ${found === undefined ? 'the end' : JSON.stringify(found)} ${where}`)
  }

  refusal(why: string): SelectorError {
    return new SelectorError(this.#text, why)
  }
}

function readRequirement(reader: TokenReader): Requirement {
  if (reader.takeIf('!')) return { key: reader.takeWord('where a label key is expected'), operator: 'DoesNotExist' }
  const key = reader.takeWord('where a label key is expected')
  if (reader.next() === undefined || reader.next() === ',') return { key, operator: 'Exists' }
  const operator = reader.take()
  switch (operator) {
    case '=':
    case '==':
      return { key, operator: 'In', values: [readValue(reader)] }
    case '!=':
      return { key, operator: 'NotIn', values: [readValue(reader)] }
    case 'in':
      return { key, operator: 'In', values: readValues(reader) }
    case 'notin':
      return { key, operator: 'NotIn', values: readValues(reader) }
    case '>':
      return { key, operator: 'GreaterThan', than: readNumber(reader) }
    case '<':
      return { key, operator: 'LessThan', than: readNumber(reader) }
    default:
      throw reader.refusal(
        `found ${JSON.stringify(operator)} after ${key} where one of = == != in notin > < is expected`,
      )
  }
}

/** `a=` asks for the empty value. */
function readValue(reader: TokenReader): string {
  if (reader.next() === undefined || reader.next() === ',') return ''
  return reader.takeWord('where a value is expected')
}

/** A number is a label value, too, so it has no sign. */
function readNumber(reader: TokenReader): bigint {
  const text = readValue(reader)
  const number = /^[0-9]/.test(text) ? parseInt64(text) : undefined
  if (number === undefined)
    throw reader.refusal(`${JSON.stringify(text)} must be a whole number of 64 bits without sign`)
  return number
}

/** Where nothing stands between commas and brackets, the empty value is meant. */
function readValues(reader: TokenReader): string[] {
  reader.expect('(')
  const values: string[] = []
  do {
    values.push(reader.next() === ',' || reader.next() === ')' ? '' : reader.takeWord('where a value is expected'))
  } while (reader.takeIf(','))
  reader.expect(')')
  return values
}
