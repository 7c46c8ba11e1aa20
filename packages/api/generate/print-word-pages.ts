import { annotationKeys, hashAnnotations } from '../src/annotations.ts'
import { conditionTypes, podNodeStates, podStateCondition, SLURM_REGISTERED } from '../src/conditions.ts'
import { labelKeys } from '../src/labels.ts'
import { annotationMeanings, conditionMeanings, hashMeanings, labelMeanings, type Described } from './describe-words.ts'
import { printTable } from './print-table.ts'

/** The page of labels. */
export function printLabelPage(): string {
  return ['# Labels', wordTable('Label', labelKeys, labelMeanings)].join('\n\n')
}

/** The page of annotations. */
export function printAnnotationPage(): string {
  return [
    '# Annotations',
    '## For people and programs',
    wordTable('Annotation', annotationKeys, annotationMeanings),
    '## Hashes',
    'The operator writes them on pods, so that a change of what they name starts new pods.',
    wordTable('Annotation', hashAnnotations, hashMeanings),
  ].join('\n\n')
}

/** The page of conditions. */
export function printConditionPage(): string {
  const states = podNodeStates.map((state) => `\`${podStateCondition(state)}\``).join(', ')
  return [
    '# Conditions',
    '`kubectl wait --for=condition=Ready` works with every kind. The reason is one word for programs, the message a sentence for people.',
    wordTable('Type', conditionTypes, conditionMeanings),
    '## On worker pods',
    `\`${SLURM_REGISTERED}\`: Slurm has listed the worker. Once written it stays, as False when Slurm does not list it any more; if it ran jobs then, the message says so.`,
    `True while Slurm says so, with the reason that Slurm gives as message: ${states}.`,
  ].join('\n\n')
}

function wordTable<Name extends string>(
  title: string,
  words: Readonly<Record<Name, string>>,
  meanings: Readonly<Record<Name, Described>>,
): string {
  const rows = (Object.keys(words) as Name[]).map((name) => [
    `\`${words[name]}\``,
    meanings[name].on,
    meanings[name].meaning,
  ])
  return printTable([title, 'On', 'Meaning'], rows)
}
