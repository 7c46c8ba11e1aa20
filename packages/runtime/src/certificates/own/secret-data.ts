import { printKept } from './carry-out.ts'
import { entries, type Kept, type SecretTexts } from './kept.ts'

/** Our entries of a Secret, decoded; those of others may be anything and are not looked at. */
export function decodeOurs(data: Readonly<Record<string, string>>): SecretTexts {
  const ours = Object.values(entries).flatMap((name) => {
    const text = data[name]
    return text === undefined ? [] : [[name, Buffer.from(text, 'base64').toString()] as const]
  })
  return Object.fromEntries(ours)
}

/** The entries as they are to be; null removes one. Entries that are not ours are not mentioned, so they stay. */
export function encodeOurs(kept: Kept): Readonly<Record<string, string | null>> {
  const printed = Object.entries(printKept(kept))
  return Object.fromEntries(
    printed.map(([name, text]) => [name, text === undefined ? null : Buffer.from(text).toString('base64')]),
  )
}
