import type { Problem } from '@slurm-operator/api'
import { quote, refuse } from './problem.ts'

/** What a shell takes for something else; the images put these words on the command line of slurmd. */
const shellCharacter = /['"`$\\]|\p{Cc}/u

/** `extraConf` of a NodeSet: `Key=Value` pairs between blanks. */
export function findExtraConfProblems(extraConf: string): readonly Problem[] {
  const words = extraConf.split(/\s+/).filter((word) => word !== '')
  return words.flatMap((word) => {
    const why = whyBadPair(word)
    return why === undefined ? [] : [refuse('spec.extraConf', why, 'Write pairs such as Weight=10 Gres=gpu:1.')]
  })
}

function whyBadPair(word: string): string | undefined {
  if (!/^[^=]+=/.test(word)) return `has the word ${quote(word)}, which is no Key=Value pair`
  const [found] = shellCharacter.exec(word) ?? []
  if (found === undefined) return undefined
  return `has the word ${quote(word)} with ${quote(found)}, which a shell would take for something else`
}
