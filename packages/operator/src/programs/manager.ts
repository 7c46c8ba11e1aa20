/**
 * The program `manager`: all loops.
 *
 * @module
 */
import { runProgram } from '@slurm-operator/runtime'
import { managerFlags } from './manager-flags.ts'
import { readFlags } from './read-flags.ts'
import { runManager } from './run-manager.ts'
import { keepHeapSmall } from './small-heap.ts'

keepHeapSmall()
const read = readFlags('manager', managerFlags, process.argv.slice(2))
if (read.kind === 'run') await runProgram((tools) => runManager(read, tools))
else process.exitCode = read.exitCode
