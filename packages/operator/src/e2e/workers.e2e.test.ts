import { annotationKeys, labelKeys, nodeSetResource, restApiResource, YES } from '@slurm-operator/api'
import {
  configMapResource,
  isNotFound,
  persistentVolumeClaimResource,
  printTime,
  secretResource,
} from '@slurm-operator/kube'
import { until, untilTrue } from '@slurm-operator/local'
import { describe, expect, test } from 'vitest'
import {
  CPU,
  createNodeSet,
  endJob,
  FAT,
  fateOf,
  installExample,
  isReady,
  isStaying,
  killProcesses,
  namespace,
  onLogin,
  operatorPods,
  patchNodeSet,
  patient,
  productForSuite,
  readNodeSet,
  readPod,
  refusals,
  slurmState,
  startJob,
  timed,
  untilLeaving,
  untilNodeSetReady,
  untilReplaced,
  type Job,
} from './gen.ts'

// Without a step for what comes by ssh, nobody is let in.
const withSessions = 'controller.extraConfMap.PrologFlags=Contain'
// Where memory is not shared out, Slurm calls a node idle whose jobs are suspended.
const byCores = 'controller.extraConfMap.SelectTypeParameters=CR_Core'
const product = productForSuite({ install: (installed) => installExample(installed, [withSessions, byCores]) })

const A_SECOND_MS = 1000
const UNTIL_DRAINED = annotationKeys.protectUntilDrained
const SCHEDULED_IN_MS = 15 * A_SECOND_MS

const kubectl = (...words: readonly string[]) => product().cluster.kubectl(words)

const untilDraining = (slurmNode: string) =>
  untilTrue(
    `${slurmNode} to be draining`,
    async () => (await slurmState(product(), slurmNode)).includes('DRAIN'),
    patient,
  )

const hostOf = ({ pod }: Job) => pod.spec?.hostname ?? ''
const nodeOf = ({ pod }: Job) => pod.spec?.nodeName ?? ''

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

/** The job ends, and only then its worker leaves. */
async function leavesAfterJob(job: Job): Promise<void> {
  expect(await isStaying(product(), job.pod)).toBe(true)
  await endJob(product(), job)
  await timed(`job ${job.id} may end → ${job.pod.metadata.name} is deleted`, () => untilLeaving(product(), job.pod))
  expect(await fateOf(product(), job)).toBe('COMPLETED')
}

/** With -9; it is Ready again when this returns, and leads when the Lease of its predecessor is over. */
async function killOperator(): Promise<void> {
  const [operator] = await operatorPods(product())
  if (operator === undefined) throw new Error('Cannot kill the operator: it is not there')
  const containerOf = ({ status }: typeof operator) => status?.containerStatuses?.[0]?.containerID
  await killProcesses(product(), operator)
  await timed('operator killed with -9 → it is Ready again', () =>
    untilTrue(
      'an operator',
      async () =>
        (await operatorPods(product())).some((pod) => containerOf(pod) !== containerOf(operator) && isReady(pod)),
      patient,
    ),
  )
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
    await leavesAfterJob(leaving)
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
    await untilDraining(hostOf(job))
    await untilTrue(
      'the idle one to be gone',
      async () => (await readPod(product(), `${CPU}-0`)) === undefined,
      patient,
    )
    await killOperator() // the next one begins without any list of jobs
    await untilWaitsForJobs(CPU, `${CPU}-1`)
    await onLogin(product(), `scontrol resume ${job.id}`)
    await leavesAfterJob(job)
    await patchNodeSet(product(), CPU, { replicas: 2 })
    await untilNodeSetReady(product(), CPU)
  })

  test('a rolling update ends it, or never reaches its worker', async () => {
    const job = await startJob(product(), `${FAT}-0`)
    await patchNodeSet(product(), FAT, { template: { metadata: { annotations: { 'example.com/round': '2' } } } })
    await untilDraining(hostOf(job))
    await leavesAfterJob(job)
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
    await untilDraining(hostOf(job))
    expect(Date.now()).toBeGreaterThan(startsAtMs - A_SECOND_MS) // Slurm counts whole seconds
    await leavesAfterJob(job)
    await timed('old worker leaves → new worker Ready', () => untilNodeSetReady(product(), FAT))
    await patchNodeSet(product(), FAT, { updateStrategy: { type: 'RollingUpdate', scheduledUpdate: null } })
    await timed('no longer scheduled → no reservation', () =>
      untilTrue('it', async () => !(await onLogin(product(), 'scontrol show reservation')).includes('MAINT'), patient),
    )
  })

  test('a cordoned Kube node gets new jobs, or stays drained for good', async () => {
    const job = await startJob(product(), `${CPU}-0`)
    await kubectl('cordon', nodeOf(job))
    await timed('cordon → draining in Slurm', () => untilDraining(hostOf(job)))
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
    await untilDraining(hostOf(job))
    await killOperator()
    await leavesAfterJob(job)
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
    await timed('→ its busy worker drains', () => untilDraining(hostOf(job)))
    await leavesAfterJob(job)
    await patchNodeSet(product(), CPU, { replicas: 2 })
    await untilNodeSetReady(product(), CPU)
    await untilNodeSetReady(product(), 'late')
  })
})

describe('workers', () => {
  const claims = () => product().client.resource(persistentVolumeClaimResource)
  const hasClaim = async (name: string) =>
    claims()
      .get({ namespace, name })
      .then(
        ({ metadata }) => metadata.deletionTimestamp === undefined,
        (error: unknown) => {
          if (isNotFound(error)) return false
          throw error
        },
      )
  const disk = (whenScaled: string) => ({
    replicas: 1,
    persistentVolumeClaimRetentionPolicy: { whenScaled },
    volumeClaimTemplates: [
      {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    ],
  })
  const nodeSets = () => product().client.resource(nodeSetResource)

  test('their claims stay when they should go, or go when they should stay', async () => {
    await createNodeSet(product(), 'drop', disk('Delete'))
    await createNodeSet(product(), 'keep', disk('Retain'))
    await Promise.all(['drop', 'keep'].map((name) => untilNodeSetReady(product(), name)))
    expect(await Promise.all([hasClaim('data-drop-0'), hasClaim('data-keep-0')])).toEqual([true, true])
    for (const name of ['drop', 'keep']) await patchNodeSet(product(), name, { replicas: 0 })
    await timed('replicas 0 → pods and one claim are gone', async () => {
      for (const pod of ['drop-0', 'keep-0']) {
        await untilTrue(`${pod} to be gone`, async () => (await readPod(product(), pod)) === undefined, patient)
      }
      await untilTrue('the claim to be gone', async () => !(await hasClaim('data-drop-0')), patient)
    })
    expect(await hasClaim('data-keep-0')).toBe(true)
    for (const name of ['drop', 'keep', 'late']) await nodeSets().delete({ namespace, name })
  })

  test('a DaemonSet of workers misses a Kube node, or leaves one before its job is over', async () => {
    for (const node of ['n2', 'n3']) await kubectl('label', 'node', node, 'example.com/fast=yes')
    const { spec } = await readNodeSet(product(), FAT)
    const podSpec = { ...spec.template?.spec, hostname: '', nodeSelector: { 'example.com/fast': 'yes' } }
    await createNodeSet(product(), 'fast', { scalingMode: 'DaemonSet', template: { spec: podSpec } })
    await timed('DaemonSet of two workers, until Ready', () =>
      untilTrue(
        'two workers',
        async () => {
          const nodeSet = await readNodeSet(product(), 'fast')
          return isReady(nodeSet) && nodeSet.status?.readyReplicas === 2
        },
        patient,
      ),
    )
    const names = await kubectl('get', 'pods', '-n', namespace, '-l', 'app.kubernetes.io/instance=fast', '-o', 'name')
    const [name = ''] = names.trim().split('\n')
    const job = await startJob(product(), name.replace('pod/', ''))
    await kubectl('label', 'node', nodeOf(job), 'example.com/fast-')
    await untilDraining(hostOf(job))
    await leavesAfterJob(job)
    await nodeSets().delete({ namespace, name: 'fast' })
  })

  test('a deleted NodeSet takes a job with it, though it was to drain its workers first', async () => {
    await createNodeSet(product(), 'last', { replicas: 1 })
    await untilNodeSetReady(product(), 'last')
    const job = await startJob(product(), 'last-0')
    const drainFirst = `${annotationKeys.drainOnDelete}=${YES}`
    await kubectl('annotate', '--namespace', namespace, 'nodesets.slinky.slurm.net/last', drainFirst)
    const isHeld = async () => (await readNodeSet(product(), 'last')).metadata.finalizers?.length === 1
    await untilTrue('the NodeSet to be held', isHeld, patient)
    await nodeSets().delete({ namespace, name: 'last' })
    await untilDraining(hostOf(job))
    await leavesAfterJob(job)
    const isGone = async () =>
      !(await nodeSets().list({ namespace })).items.some(({ metadata }) => metadata.name === 'last')
    await timed('its last worker leaves → the NodeSet is gone', () => untilTrue('it', isGone, patient))
  })

  test('a pinned worker comes back on another Kube node', async () => {
    await createNodeSet(product(), 'pinned', { replicas: 2, pinToNode: true })
    await untilNodeSetReady(product(), 'pinned')
    const before = await readPod(product(), 'pinned-0')
    await kubectl('delete', 'pod', '-n', namespace, 'pinned-0', '--wait=false')
    await timed('pinned pod deleted → Ready again', () => untilReplaced(product(), before, 'pinned-0'))
    expect((await readPod(product(), 'pinned-0'))?.spec?.nodeName).toBe(before?.spec?.nodeName)
    await nodeSets().delete({ namespace, name: 'pinned' })
  })
})

describe('ssh into a worker', () => {
  const files = () => product().client.resource(configMapResource)
  const userKey = '/tmp/ssh-key'

  /** What a directory service would tell the worker: that `nobody` has a shell and this key. */
  async function createUser(worker: string): Promise<void> {
    await onLogin(product(), `rm -f ${userKey}* && ssh-keygen -q -t ed25519 -N '' -f ${userKey}`)
    const keys = await onLogin(product(), `cat ${userKey}.pub`)
    const place = { pod: worker, namespace, container: 'slurmd' }
    const users = await product().cluster.exec(place, ['cat', '/etc/passwd'])
    const passwd = users.replace(/^nobody:.*$/m, 'nobody:x:65534:65534::/tmp:/bin/sh')
    await files().create({
      ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: 'ssh-user' } },
      data: { passwd, keys },
    })
  }

  const login = async (address: string) =>
    onLogin(
      product(),
      `ssh -i ${userKey} -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null ${address} hostname 2>&1 || true`,
    )

  test('is open to who has no job there, or closed to who has', async () => {
    await createUser(`${FAT}-0`)
    await product()
      .client.resource(secretResource)
      .create({
        ...{ apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name: 'sssd' } },
        stringData: { 'sssd.conf': '[sssd]\n' },
      })
    const { spec } = await readNodeSet(product(), FAT)
    const mounts = ['passwd', 'keys'].map((key) => ({ name: 'user', mountPath: `/etc/${key}`, subPath: key }))
    const volumes = [{ name: 'user', configMap: { name: 'ssh-user' } }]
    await createNodeSet(product(), 'ssh', {
      replicas: 1,
      ssh: {
        enabled: true,
        sssdConfRef: { name: 'sssd', key: 'sssd.conf' },
        extraSshdConfig: 'AuthorizedKeysFile /etc/keys\nStrictModes no',
      },
      slurmd: { ...spec.slurmd, volumeMounts: mounts },
      template: { ...spec.template, spec: { ...spec.template?.spec, hostname: 'ssh-', volumes } },
    })
    await untilNodeSetReady(product(), 'ssh')
    const address = (await readPod(product(), 'ssh-0'))?.status?.podIP ?? ''
    expect(await login(address)).toContain('you have no active jobs on this node')
    const job = await startJob(product(), 'ssh-0')
    expect((await login(address)).split('\n').at(-1)).toBe('ssh-0')
    await endJob(product(), job)
    expect(await fateOf(product(), job)).toBe('COMPLETED')
    expect(await login(address)).toContain('you have no active jobs on this node')
    await product().client.resource(nodeSetResource).delete({ namespace, name: 'ssh' })
  })
})

test('the operator lacks a right that workers need', async () => {
  expect(await refusals(product())).toEqual([])
})
