/**
 * The same chance in every run: when a test fails, a change is the cause, and not the day. `SEED=7 npm test` tries other
 * chances, and whoever looks for faults should.
 *
 * @module
 */
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 1) })
