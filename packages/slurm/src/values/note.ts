import { isObject } from '../model/fields.ts'

/** What a program left in a `comment` or `extra` field. */
export type Note =
  | { readonly kind: 'empty' }
  | { readonly kind: 'data'; readonly values: Readonly<Record<string, unknown>> }
  | { readonly kind: 'text' } // people's words, or another program's: not ours to overwrite

/** Tell notes of programs (one JSON object) from notes of people. Never throws. */
export function readNote(text: string): Note {
  if (text.trim() === '') return { kind: 'empty' }
  if (!text.trimStart().startsWith('{')) return { kind: 'text' }
  const parsed = parse(text)
  return isObject(parsed) ? { kind: 'data', values: parsed } : { kind: 'text' }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // people may begin a sentence with a brace
  }
}
