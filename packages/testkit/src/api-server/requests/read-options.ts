import { causes, invalidOptions, type Cause } from '../objects/failure.ts'
import type { Call } from './call.ts'

/** How a write is to be done. */
export interface WriteOptions {
  readonly isDryRun: boolean
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict'
  readonly manager: string
  readonly isApply: boolean
  /** Only for apply: take over what others own. */
  readonly isForced: boolean
}

const optionKinds: Readonly<Record<string, string>> = {
  POST: 'CreateOptions',
  PUT: 'UpdateOptions',
  PATCH: 'PatchOptions',
}

/** Read and check the options of a write. */
export function readWriteOptions({ query, method, contentType, manager }: Call): WriteOptions {
  const isApply = contentType.startsWith('application/apply-patch')
  const dryRun = query.getAll('dryRun')
  const fieldValidation = query.get('fieldValidation') ?? ''
  const fieldManager = query.get('fieldManager') ?? ''
  const wrong: Cause[] = [
    ...(dryRun.every((one) => one === 'All') ? [] : [causes.unsupported('dryRun', dryRun, ['All'])]),
    ...(['', 'Ignore', 'Strict', 'Warn'].includes(fieldValidation)
      ? []
      : [causes.unsupported('fieldValidation', fieldValidation, ['', 'Ignore', 'Strict', 'Warn'])]),
    ...(isApply && fieldManager === '' ? [causes.required('fieldManager', 'is required for apply patch')] : []),
    ...(!isApply && query.has('force') ? [causes.forbidden('force', 'may not be specified for non-apply patch')] : []),
  ]
  if (wrong.length > 0) throw invalidOptions(optionKinds[method] ?? 'UpdateOptions', wrong)
  return {
    isDryRun: dryRun.length > 0,
    fieldValidation: fieldValidation === '' ? 'Warn' : (fieldValidation as WriteOptions['fieldValidation']),
    manager: fieldManager === '' ? manager : fieldManager,
    isApply,
    isForced: isTrue(query.get('force')),
  }
}

/** How the server reads a flag. */
export function isTrue(text: string | null): boolean {
  return text === 'true' || text === '1' || text === ''
}
