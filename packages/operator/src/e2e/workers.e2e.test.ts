import { annotationKeys, labelKeys, nodeSetResource, restApiResource, YES } from '@slurm-operator/api'
import { printTime } from '@slurm-operator/kube'
import { until, untilTrue } from '@slurm-operator/local'
import { describe, expect, test } from 'vitest'
import { hostOf, leavesAfterJob, nodeOf, untilDraining } from './gen-jobs.ts'
import {
  CPU,
  createNodeSet,
  endJob,
  FAT,
  fateOf,
  installExample,
  isReady,
  isStaying,
  killOperator,
  namespace,
  onLogin,
  patchNodeSet,
  patient,
  productForSuite,
  readNodeSet,
  readPod,
  refusals,
  slurmState,
  startJob,
  timed,
  untilNodeSetReady,
  untilReplaced,
  type Job,
} from './gen.ts'

// Where memory is not shared out, Slurm calls a node idle whose jobs are suspended.
const byCores = 'controller.extraConfMap.SelectTypeParameters=CR_Core'
const product = productForSuite({ install: (installed) => installExample(installed, [byCores]) })

const A_SECOND_MS = 1000
const UNTIL_DRAINED = annotationKeys.protectUntilDrained
const SCHEDULED_IN_MS = 15 * A_SECOND_MS

const kubectl = (...words: readonly string[]) => product().cluster.kubectl(words)

const isProtected = (pod: Job['pod'] | undefined) => pod?.metadata.labels?.[labelKeys.podProtect] === YES

const isPodReady = async (name: string) => {
  const pod = await readPod(product(), name)
  return pod !== undefined && isReady(pod)
}

/** `kubectl drain` waits for the job of a worker, and not longer. */
async function emptiedAfterJob(job: Job): Promise<void> {
  const worker = ['--pod-selector=app.kubernetes.io/name=slurmd', '--delete-emptydir-data', '--ignore-daemonsets']
  try {
    await expect(kubectl('drain', nodeOf(job), ...worker, '--timeout=8s')).rejects.toThrow(/when evicting pods/)
    expect(await isStaying(product(), job.pod)).toBe(true)
    await endJob(product(), job)
    await timed('job may end → kubectl drain is done', () => kubectl('drain', nodeOf(job), ...worker, '--timeout=90s'))
  } finally {
    await kubectl('uncordon', nodeOf(job))
  }
  expect(await fateOf(product(), job)).toBe('COMPLETED')
  await untilNodeSetReady(product(), CPU)
}

/** The operator that leads says so, and not only the one before it. */
async function untilWaitsForJobs(nodeSet: string, worker: string): Promise<void> {
  await patchNodeSet(product(), nodeSet, { minReadySeconds: 1 })
  const isSaid = async () => {
    const { metadata, status } = await readNodeSet(product(), nodeSet)
    const isNew = status?.observedGeneration === metadata.generation
    return isNew && status?.waiting?.some(({ name, reason }) => name === worker && reason === 'JobsRunning') === true
  }
  await untilTrue(`${worker} to wait for its jobs`, isSaid, patient)
  await patchNodeSet(product(), nodeSet, { minReadySeconds: 0 })
}

describe('a job runs, and', () => {
  test('a scale-in ends it, or the worker stays when it is over', async () => {
    const jobs = await Promise.all([startJob(product(), `${CPU}-0`), startJob(product(), `${CPU}-1`)])
    await patchNodeSet(product(), CPU, { replicas: 1 })
    const leaving = await until(
      'a worker to be draining',
      async () => {
        const states = await Promise.all(jobs.map((job) => slurmState(product(), hostOf(job))))
        return jobs.find((_, index) => states[index]?.includes('DRAIN'))
      },
      patient,
    )
    const [other] = jobs.filter((job) => job !== leaving)
    await leavesAfterJob(product(), leaving)
    await patchNodeSet(product(), CPU, { replicas: 2 })
    await timed('replicas 1 → 2, until Ready', () => untilNodeSetReady(product(), CPU))
    expect(other && (await isStaying(product(), other.pod))).toBe(true)
    if (other === undefined) return
    await endJob(product(), other)
    expect(await fateOf(product(), other)).toBe('COMPLETED')
  })

  test('a scale-in ends it, because it is suspended and its node is idle to Slurm', async () => {
    const job = await startJob(product(), `${CPU}-1`)
    await onLogin(product(), `scontrol suspend ${job.id}`)
    expect(await slurmState(product(), hostOf(job))).toContain('IDLE')
    await patchNodeSet(product(), CPU, { replicas: 0 })
    await untilDraining(product(), hostOf(job))
    await untilTrue(
      'the idle one to be gone',
      async () => (await readPod(product(), `${CPU}-0`)) === undefined,
      patient,
    )
    await killOperator(product()) // the next one begins without any list of jobs
    await untilWaitsForJobs(CPU, `${CPU}-1`)
    await onLogin(product(), `scontrol resume ${job.id}`)
    await leavesAfterJob(product(), job)
    await patchNodeSet(product(), CPU, { replicas: 2 })
    await untilNodeSetReady(product(), CPU)
  })

  test('a rolling update ends it, or never reaches its worker', async () => {
    const job = await startJob(product(), `${FAT}-0`)
    await patchNodeSet(product(), FAT, { template: { metadata: { annotations: { 'example.com/round': '2' } } } })
    await untilDraining(product(), hostOf(job))
    await leavesAfterJob(product(), job)
    await timed('old worker leaves → new worker Ready', () => untilNodeSetReady(product(), FAT))
    expect((await readPod(product(), `${FAT}-0`))?.metadata.annotations).toMatchObject({ 'example.com/round': '2' })
  })

  test('a scheduled update begins before its time, or ends it', async () => {
    const [job, startsAtMs] = [await startJob(product(), `${FAT}-0`), Date.now() + SCHEDULED_IN_MS]
    const scheduledUpdate = { startTime: printTime(startsAtMs), duration: '5m' }
    await patchNodeSet(product(), FAT, {
      updateStrategy: { type: 'ScheduledUpdate', scheduledUpdate },
      template: { metadata: { annotations: { 'example.com/round': '3' } } },
    })
    await timed('scheduled → Slurm has the reservation', () =>
      untilTrue('it', async () => (await onLogin(product(), 'scontrol show reservation')).includes('MAINT'), patient),
    )
    await untilDraining(product(), hostOf(job))
    expect(Date.now()).toBeGreaterThan(startsAtMs - A_SECOND_MS) // Slurm counts whole seconds
    await leavesAfterJob(product(), job)
    await timed('old worker leaves → new worker Ready', () => untilNodeSetReady(product(), FAT))
    await patchNodeSet(product(), FAT, { updateStrategy: { type: 'RollingUpdate', scheduledUpdate: null } })
    await timed('no longer scheduled → no reservation', () =>
      untilTrue('it', async () => !(await onLogin(product(), 'scontrol show reservation')).includes('MAINT'), patient),
    )
  })

  test('a cordoned Kube node gets new jobs, or stays drained for good', async () => {
    const job = await startJob(product(), `${CPU}-0`)
    await kubectl('cordon', nodeOf(job))
    await timed('cordon → draining in Slurm', () => untilDraining(product(), hostOf(job)))
    await kubectl('uncordon', nodeOf(job))
    await timed('uncordon → no longer draining', () =>
      untilTrue('the drain to end', async () => !(await slurmState(product(), hostOf(job))).includes('DRAIN'), patient),
    )
    expect(await isStaying(product(), job.pod)).toBe(true)
    await endJob(product(), job)
    expect(await fateOf(product(), job)).toBe('COMPLETED')
  })

  test('kubectl drain ends it, or waits for ever', async () => {
    const job = await startJob(product(), `${CPU}-1`)
    await timed('job runs → its worker is protected from eviction', () =>
      untilTrue('the protection', async () => isProtected(await readPod(product(), `${CPU}-1`)), patient),
    )
    await emptiedAfterJob(job)
  })

  test('kubectl drain ends it, because it began a moment ago', async () => {
    expect(isProtected(await readPod(product(), `${CPU}-1`))).toBe(false)
    await kubectl('annotate', '--namespace', namespace, `nodesets.slinky.slurm.net/${CPU}`, `${UNTIL_DRAINED}=true`)
    try {
      await timed('it is wanted → idle workers are protected from eviction', () =>
        untilTrue('the protection', async () => isProtected(await readPod(product(), `${CPU}-1`)), patient),
      )
      await emptiedAfterJob(await startJob(product(), `${CPU}-1`))
      await untilTrue('its successor', async () => isProtected(await readPod(product(), `${CPU}-1`)), patient)
    } finally {
      await kubectl('annotate', '--namespace', namespace, `nodesets.slinky.slurm.net/${CPU}`, `${UNTIL_DRAINED}-`)
    }
    await timed('it is wanted no more → idle workers may be evicted', () =>
      untilTrue('no protection', async () => !isProtected(await readPod(product(), `${CPU}-1`)), patient),
    )
  })

  test('the operator dies while its worker drains, and the next one does not wait for the job', async () => {
    const job = await startJob(product(), `${FAT}-0`)
    await patchNodeSet(product(), FAT, { replicas: 0 })
    await untilDraining(product(), hostOf(job))
    await killOperator(product())
    await leavesAfterJob(product(), job)
    await patchNodeSet(product(), FAT, { replicas: 1 })
    await untilNodeSetReady(product(), FAT)
  })

  test('slurmctld restarts and forgets it', async () => {
    const job = await startJob(product(), `${CPU}-0`)
    const old = await readPod(product(), 'slurm-controller-0')
    await kubectl('delete', 'pod', '-n', namespace, 'slurm-controller-0', '--wait=false')
    await timed('slurmctld pod deleted → a new one is Ready', () => untilReplaced(product(), old, 'slurm-controller-0'))
    expect(await isStaying(product(), job.pod)).toBe(true)
    await endJob(product(), job)
    expect(await fateOf(product(), job)).toBe('COMPLETED')
  })
})

describe('Slurm is silent for a minute, and', () => {
  const restApis = () => product().client.resource(restApiResource)
  const scaleRestApi = (replicas: number) =>
    restApis().patch({ namespace, name: 'slurm' }, { type: 'merge', body: { spec: { replicas } } })
  const reachable = async () =>
    (await readNodeSet(product(), CPU)).status?.conditions?.find(({ type }) => type === 'SlurmReachable')?.status

  test('a busy worker is deleted, or no new worker is made', async () => {
    const job = await startJob(product(), `${CPU}-0`)
    const silentAtMs = performance.now()
    await scaleRestApi(0)
    await timed('slurmrestd away → SlurmReachable=False', () =>
      untilTrue('the NodeSet to notice', async () => (await reachable()) === 'False', patient),
    )
    await patchNodeSet(product(), CPU, { replicas: 0 })
    await createNodeSet(product(), 'late', { replicas: 1 })
    await timed('NodeSet made while Slurm is silent → its pod is Ready', () =>
      untilTrue('pod late-0', async () => isPodReady('late-0'), patient),
    )
    await untilTrue(
      'a minute to be over',
      async () => !(await isStaying(product(), job.pod)) || performance.now() - silentAtMs > 60_000,
      { ...patient, everyMs: 1_000 },
    )
    expect(await isStaying(product(), job.pod)).toBe(true)
    await scaleRestApi(1)
    await timed('slurmrestd wanted again → it is Ready', () =>
      untilTrue('it', async () => isReady(await restApis().get({ namespace, name: 'slurm' })), patient),
    )
    await timed('→ its busy worker drains', () => untilDraining(product(), hostOf(job)))
    await leavesAfterJob(product(), job)
    await patchNodeSet(product(), CPU, { replicas: 2 })
    await untilNodeSetReady(product(), CPU)
    await untilNodeSetReady(product(), 'late')
    await product().client.resource(nodeSetResource).delete({ namespace, name: 'late' })
  })
})

test('the operator lacks a right that workers need', async () => {
  expect(await refusals(product())).toEqual([])
})
