/** What somebody threw, in words: for errors that are explained by those who know more. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
