import type { RestAnswer } from './answer.ts'

const INDENT = 2

/** JSON as slurmrestd prints it: with two blanks, and every slash escaped. */
function prettyJson(value: unknown): string {
  return JSON.stringify(value, undefined, INDENT).replaceAll('/', String.raw`\/`)
}

/** One record of a list, indented for its place in it. */
export function recordText(record: unknown): string {
  return prettyJson(record).replaceAll('\n', '\n    ')
}

/** The bytes of an answer, in pieces: a long list is never one text. */
export function* answerPieces({ body, list }: RestAnswer): Generator<string> {
  if (typeof body === 'string') {
    yield body
    return
  }
  if (!list) {
    yield prettyJson(body)
    return
  }
  yield list.texts.length === 0 ? `{\n  "${list.key}": [` : `{\n  "${list.key}": [\n    `
  for (const [at, text] of list.texts.entries()) yield at === 0 ? text : `,\n    ${text}`
  const rest = prettyJson(body).slice(1)
  yield `${list.texts.length === 0 ? '' : '\n  '}]${rest.trim() === '}' ? '' : ','}${rest}`
}
