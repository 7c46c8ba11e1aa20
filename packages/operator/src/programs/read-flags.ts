import { parseFlags, printHelp, printWrong, type Flags, type FlagValues } from '@slurm-operator/runtime'

/** What the command line asks for. */
export type ReadFlags<F extends Flags> =
  | { readonly kind: 'run'; readonly values: FlagValues<F>; readonly given: ReadonlySet<string> }
  | { readonly kind: 'told'; readonly exitCode: number }

/** Read the command line of a program. Help, and what is wrong with it, is printed here. */
export function readFlags<F extends Flags>(program: string, flags: F, words: readonly string[]): ReadFlags<F> {
  const parsed = parseFlags(flags, words)
  switch (parsed.kind) {
    case 'run':
      return parsed
    case 'help':
      process.stdout.write(printHelp(program, flags))
      return { kind: 'told', exitCode: 0 }
    case 'wrong':
      process.stderr.write(printWrong(program, parsed.because, flags))
      return { kind: 'told', exitCode: 1 }
  }
}
