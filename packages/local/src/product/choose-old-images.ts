/** More than anybody uses at the same time; each takes 130 MB. */
const KEPT = 5

/** What lies in the folder of images. */
interface Found {
  readonly name: string
  readonly usedAtMs: number
}

/** The folders that may go: those that we have named after sources, without the ones used last. */
export function chooseOldImages(found: readonly Found[]): string[] {
  const ours = found.filter(({ name }) => /^s[0-9a-f]{12}$/.test(name))
  return ours
    .toSorted((one, other) => other.usedAtMs - one.usedAtMs)
    .slice(KEPT)
    .map(({ name }) => name)
}
