const MASK = '<hidden>'
const SHORTEST = 6 // a shorter one would black out half of the text and protect nothing

/**
 * Texts that must not appear anywhere. Whoever reads a secret registers it; whoever writes lines asks `hide`.
 * A value is known in the forms it travels in: as it is, base64, base64url and URL-encoded.
 */
export class SecretValues {
  readonly #counts = new Map<string, number>()
  #pattern: RegExp | undefined

  /** Hide this value, a text or bytes, from now on. The answer ends it, for secrets that are replaced from time to time. */
  register(value: string | Uint8Array): () => void {
    const forms = formsOf(value)
    forms.forEach((form) => this.#count(form, 1))
    let isRegistered = true
    return () => {
      if (isRegistered) forms.forEach((form) => this.#count(form, -1))
      isRegistered = false
    }
  }

  /** The text without the values. */
  hide(text: string): string {
    if (this.#counts.size === 0) return text
    this.#pattern ??= patternOf([...this.#counts.keys()])
    return text.replace(this.#pattern, MASK)
  }

  #count(form: string, change: 1 | -1): void {
    const count = (this.#counts.get(form) ?? 0) + change
    if (count > 0) this.#counts.set(form, count)
    else this.#counts.delete(form)
    this.#pattern = undefined
  }
}

/** All forms; what a base64 text of the value with something before or behind it would be is not among them. */
function formsOf(value: string | Uint8Array): string[] {
  const bytes = Buffer.from(value)
  const text = typeof value === 'string' ? value : bytes.toString()
  const base64 = bytes.toString('base64').replace(/=+$/, '')
  const trimmed = text.trim()
  const forms = [text, trimmed, base64, bytes.toString('base64url'), encodeURIComponent(trimmed.toWellFormed())]
  return [...new Set(forms)].filter((form) => form.length >= SHORTEST)
}

/** Longest first: a secret that begins with another one is hidden as a whole. */
function patternOf(forms: readonly string[]): RegExp {
  const sorted = forms.toSorted((one, other) => other.length - one.length)
  return new RegExp(sorted.map((form) => RegExp.escape(form)).join('|'), 'g')
}
