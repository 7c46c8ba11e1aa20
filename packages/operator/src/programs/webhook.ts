/**
 * The program `webhook`: what the API server asks before it stores our objects and binds worker pods.
 *
 * @module
 */
import { runProgram } from '@slurm-operator/runtime'
import { readFlags } from './read-flags.ts'
import { webhookFlags } from './webhook-flags.ts'
import { runWebhook } from './webhook-program.ts'

const read = readFlags('webhook', webhookFlags, process.argv.slice(2))
if (read.kind === 'run') await runProgram((tools) => runWebhook(read, tools))
else process.exitCode = read.exitCode
