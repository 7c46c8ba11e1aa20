const MASK = '<hidden>'

const secrets: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/g, MASK], // a JSON web token
  [/\b(Bearer|Basic)\s+[\w\-.~+/]+=*/gi, `$1 ${MASK}`],
  [/\/\/[^\s/@]+@/g, `//${MASK}@`], // user and password in a URL
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, MASK],
  [/\b(token|password|clientKeyData|client-key-data)(["']?\s*[:=]\s*["']?)[^\s"',;]+/gi, `$1$2${MASK}`],
]

/** Take everything out of a text that looks like a secret. For texts of others that end up in our errors and logs. */
export function redact(text: string): string {
  return secrets.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text)
}
