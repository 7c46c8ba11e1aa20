/** The texts that stand more than once in a list, each once. */
export function findRepeated(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.filter((text, index) => texts.indexOf(text) !== index))]
}
