import { tokenSecretName, type TokenWithDefaults, type Problem } from '@slurm-operator/api'
import { findDurationProblems, MINUTE_NS } from './duration-rules.ts'
import { quote, refuse, warn, when } from './problem.ts'
import { effectiveJwtRef, findChangedJwtKey, findOldJwtField } from './shared-rules.ts'

/** What is wrong with a Token. */
export function findTokenProblems(token: TokenWithDefaults): readonly Problem[] {
  const { spec } = token
  return [
    ...findOldJwtField(spec),
    ...findLifetimeProblems(spec.lifetime),
    ...when(tokenSecretName(token) === effectiveJwtRef(spec)?.name, () =>
      refuse(
        'spec.secretRef.name',
        `is ${quote(tokenSecretName(token))}, the Secret with the signing key itself`,
        'Choose another Secret for the token.',
      ),
    ),
  ]
}

/** What must not change about a Token. */
export function findTokenChanges(
  { spec: was }: TokenWithDefaults,
  { spec: is }: TokenWithDefaults,
): readonly Problem[] {
  return findChangedJwtKey(was, is)
}

function findLifetimeProblems(text: string): readonly Problem[] {
  const path = 'spec.lifetime'
  return findDurationProblems(path, text, (length) => [
    ...when(length <= 0n, () =>
      refuse(path, `is ${text}: the token would be over before it is used`, 'Write 15m or more.'),
    ),
    ...when(length > 0n && length < MINUTE_NS, () =>
      warn(path, `is ${text}: the token is renewed every few seconds`, 'Write 1m or more.'),
    ),
  ])
}
