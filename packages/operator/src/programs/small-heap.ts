/**
 * V8 lets the old part of a heap grow to several times of what lives in it before it collects. Memory is what operators
 * are measured by, and most of what we keep lives long: a fifth is enough. The first line of the bundle has room for one
 * option only, so this one is set here, before anything is kept.
 *
 * @module
 */
import { setFlagsFromString } from 'node:v8'

const GROWTH_PERCENT = 20

/** See the module. */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`)
}
