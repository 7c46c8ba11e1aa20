import type { Send } from './http.ts'

const REMEMBERED = 1_000

/** Tell each warning of the server once: it repeats them with every request. */
export function reportWarnings(send: Send, tell: (warning: string) => void): Send {
  const told = new Set<string>()
  return async (request) => {
    const answer = await send(request)
    for (const warning of parseWarnings(answer.headers['warning'] ?? '')) {
      if (told.has(warning)) continue
      if (told.size >= REMEMBERED) told.clear() // rather twice than without end
      told.add(warning)
      tell(warning)
    }
    return answer
  }
}

/** The texts in a `Warning` header: `299 - "first", 299 - "second"`. */
export function parseWarnings(header: string): string[] {
  const entries = header.matchAll(/(\d{3}) [^\s"]+ "((?:[^"\\]|\\.)*)"/g)
  return [...entries].flatMap(([, code, text = '']) => (code === '299' ? [text.replaceAll(/\\(.)/g, '$1')] : []))
}
