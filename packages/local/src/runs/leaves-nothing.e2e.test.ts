import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { startApiServer } from '../api-server/start-api-server.ts'
import { startCluster } from '../cluster/start-cluster.ts'
import { untilTrue } from '../machine/until.ts'
import { projectFile } from '../programs/project-files.ts'
import { silentProgress } from '../progress/progress.ts'
import { skipWithoutBoxes } from '../testing/cluster-suite.ts'
import { machineState, remainsOf, tracesOf } from '../testing/traces.ts'
import { sweepRuns } from './clean-up.ts'
import { findRecord } from './run-record.ts'

skipWithoutBoxes()
const progress = silentProgress

describe('several runs share a machine and leave it as it was', () => {
  test('two clusters and two API servers disturb each other, or something is left after they stop', async () => {
    const before = machineState()
    const [one, two, apiOne, apiTwo] = await Promise.all([
      startCluster({ nodes: 2, progress }),
      startCluster({ nodes: 1, progress }),
      startApiServer({ progress }),
      startApiServer({ progress }),
    ])
    await one.kubectl(['create', 'configmap', 'mine'])
    await expect(two.kubectl(['get', 'configmap', 'mine'])).rejects.toThrow('not found')
    expect(new Set([one.url, two.url, apiOne.url, apiTwo.url]).size).toBe(4)
    expect(machineState()).toBe(before) // even while they run, the machine's own network and mounts are untouched
    const traces = [one.id, two.id].map(tracesOf)
    expect(traces.map(({ namespaces }) => namespaces.size > 6)).toEqual([true, true]) // or the test sees nothing
    await Promise.all([one.stop(), two.stop(), apiOne.stop(), apiTwo.stop()])
    expect(traces.flatMap(remainsOf)).toEqual([])
    expect(machineState()).toBe(before)
  })

  test('a starter that is killed leaves nodes running, or its remains stay for ever', async () => {
    const index = JSON.stringify(projectFile('src/index.ts'))
    const program = `const { startCluster } = await import(${index}); const { id } = await startCluster({ nodes: 1 }); console.log('id=' + id); setInterval(() => {}, 1000)`
    const starter = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    starter.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    await untilTrue('the starter to have a cluster', () => output.includes('id='), { timeoutMs: 120_000 })
    const id = /id=(\S+)/.exec(output)?.[1] ?? ''
    const traces = tracesOf(id)
    starter.kill('SIGKILL')
    await once(starter, 'exit')
    const namespaces = () => remainsOf({ ...traces, paths: [] })
    await untilTrue('the kernel to end its processes', () => namespaces().length === 0, { timeoutMs: 20_000 })
    expect((await sweepRuns()).map((run) => run.id)).toContain(id) // what the next start does first
    expect(findRecord(id)).toBeUndefined()
    expect(remainsOf(traces)).toEqual([])
  })
})
