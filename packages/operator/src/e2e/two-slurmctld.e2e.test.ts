import { controllerResource } from '@slurm-operator/api'
import { SHARED_FOLDER, silentProgress, until, untilReady, untilTrue } from '@slurm-operator/local'
import { describe, expect, test } from 'vitest'
import {
  CPU,
  endJob,
  fateOf,
  installExample,
  isStaying,
  killPod,
  killProcesses,
  namespace,
  onLogin,
  operatorOn,
  patchNodeSet,
  patient,
  productForSuite,
  readPod,
  refusals,
  saveState,
  slurmAnswers,
  slurmState,
  startJob,
  timed,
  untilLeaving,
  untilNodeSetReady,
  type Job,
  type Product,
} from './gen.ts'

const CONTROLLER = { namespace, name: 'slurm' }
const [PRIMARY, BACKUP] = ['slurm-controller-0', 'slurm-controller-1'] as const

/** Only slurmctld is on these Kube nodes, so that they can be lost with nothing else. */
const ROOMS = ['n2', 'n3']
const ROOM = 'example.com/slurmctld'

const product = productForSuite({ operator: operatorOn('n1'), install: installPair })

/** So long a backup waits before it takes over. Slurm's own default is 120. */
const SLURMCTLD_TIMEOUT_SECONDS = 10

async function installPair(at: Product): Promise<void> {
  for (const node of ROOMS) {
    await at.cluster.kubectl(['label', 'node', node, `${ROOM}=yes`])
    await at.cluster.kubectl(['taint', 'node', node, `${ROOM}=yes:NoSchedule`])
  }
  await createSharedClaim(at)
  await timed('two slurmctld, two workers, accounting, login → all is Ready', () =>
    installExample(at, [
      'controller.ha.enabled=true',
      'controller.persistence.existingClaim=slurm-state',
      `controller.extraConfMap.SlurmctldTimeout=${SLURMCTLD_TIMEOUT_SECONDS}`,
      'controller.podSpec.nodeSelector.example\\.com/slurmctld=yes',
      `controller.podSpec.tolerations[0].key=${ROOM}`,
      'controller.podSpec.tolerations[0].operator=Exists',
      'nodesets.fat.enabled=false',
    ]),
  )
}

/** A folder that all Kube nodes share stands for a network file system. */
async function createSharedClaim({ cluster }: Product): Promise<void> {
  const path = `${SHARED_FOLDER}/slurm-state`
  await cluster.runInNode('n1', ['mkdir', '-p', path])
  const common = { accessModes: ['ReadWriteMany'], storageClassName: '' }
  const anywhere = [{ matchExpressions: [{ key: 'kubernetes.io/os', operator: 'Exists' }] }]
  const nodeAffinity = { required: { nodeSelectorTerms: anywhere } }
  const objects = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    {
      ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'slurm-state' } },
      spec: { ...common, capacity: { storage: '1Gi' }, local: { path }, nodeAffinity },
    },
    {
      ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'slurm-state', namespace } },
      spec: { ...common, resources: { requests: { storage: '1Gi' } }, volumeName: 'slurm-state' },
    },
  ]
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects })
  await cluster.kubectl(['apply', '--server-side', '-f', '-'], { input })
}

const kubectl = (...words: readonly string[]) => product().cluster.kubectl(words)
const controllers = () => product().client.resource(controllerResource)
const allReady = () => untilReady(product().cluster.kubectl, { namespace, progress: silentProgress, ...patient })

async function conditionOf(type: string) {
  const { status } = await controllers().get(CONTROLLER)
  return status?.conditions?.find((condition) => condition.type === type)
}

/** The slurmctld that the status names. */
async function inCharge(): Promise<string | undefined> {
  const reachable = await conditionOf('SlurmReachable')
  return reachable?.status === 'True' ? /(\S+) is in charge/.exec(reachable.message)?.[1] : undefined
}

/** The pods that the Service in front leads to. */
async function endpoints(): Promise<string> {
  const path = '{.items[*].endpoints[?(@.conditions.ready==true)].targetRef.name}'
  const which = ['-n', namespace, '-l', 'kubernetes.io/service-name=slurm-controller']
  return kubectl('get', 'endpointslices', ...which, '-o', `jsonpath=${path}`)
}

/** Print how long it takes from now until people, the status and the Service have a slurmctld again. */
async function takenOverBy(pod: string): Promise<void> {
  const often = { ...patient, everyMs: 100 }
  await Promise.all([
    timed('→ Slurm answers again', () => untilTrue('Slurm to answer', () => slurmAnswers(product()), often)),
    timed(`→ the Service leads to ${pod}`, () =>
      untilTrue(`the Service to lead to ${pod}`, async () => (await endpoints()) === pod, often),
    ),
    timed(`→ the status names ${pod}`, () =>
      untilTrue(`the status to name ${pod}`, async () => (await inCharge()) === pod, often),
    ),
  ])
}

async function nodeOf(name: string): Promise<string> {
  return (await readPod(product(), name))?.spec?.nodeName ?? ''
}

/** When the processes were started; a reconfigure keeps them. */
const starts = () =>
  Promise.all(
    [PRIMARY, BACKUP].map((pod) => {
      const place = { pod, namespace, container: 'slurmctld' }
      return product().cluster.exec(place, ['sh', '-c', 'ps -o lstart= -p $(pgrep -o slurmctld)'])
    }),
  )

/** A partition more in slurm.conf, and Slurm has it without anybody being started anew. */
async function addPartition(name: string): Promise<void> {
  const { spec } = await controllers().get(CONTROLLER)
  const extraConf = `${spec.extraConf ?? ''}\nPartitionName=${name} Nodes=ALL`
  await controllers().patch(CONTROLLER, { type: 'merge', body: { spec: { extraConf } } })
  await timed(`partition ${name} in the spec → Slurm has it`, () =>
    until('the partition', () => onLogin(product(), `scontrol show partition ${name}`), patient),
  )
}

const isRunning = async ({ id }: Job) =>
  (await onLogin(product(), `squeue --noheader --format=%T --jobs=${id}`)) === 'RUNNING'

const runsIn = (partition: string) => onLogin(product(), `srun --mem=1 --partition=${partition} true && echo done`)

async function completes(job: Job): Promise<void> {
  await endJob(product(), job)
  expect(await fateOf(product(), job)).toBe('COMPLETED')
}

describe('two slurmctld', () => {
  test('people are led to the one that only stands by', async () => {
    await takenOverBy(PRIMARY)
    expect(await nodeOf(PRIMARY)).not.toBe(await nodeOf(BACKUP))
  })

  test('a new configuration restarts them, or never becomes active', async () => {
    const before = await starts()
    await addPartition('day')
    await timed('→ ConfigurationApplied', () =>
      untilTrue('it', async () => (await conditionOf('ConfigurationApplied'))?.status === 'True', patient),
    )
    expect(await starts()).toEqual(before)
  })
})

describe('the pod of the primary vanishes, and', () => {
  test('jobs end, none begins, a busy worker goes, or the primary stays away for ever', async () => {
    const [old, home] = [await readPod(product(), PRIMARY), await nodeOf(PRIMARY)]
    if (old === undefined) throw new Error('Cannot kill the primary: it is not there')
    const jobs = [await startJob(product(), `${CPU}-0`), await startJob(product(), `${CPU}-1`)] as const
    await saveState(product(), PRIMARY)
    await kubectl('label', 'node', home, `${ROOM}-`) // it finds no place until this is taken back
    await killPod(product(), old)
    await killProcesses(product(), old)
    console.log('pod of the primary deleted, its processes killed')
    await patchNodeSet(product(), CPU, { replicas: 1 })
    await takenOverBy(BACKUP)
    expect(await Promise.all(jobs.map(isRunning))).toEqual([true, true])

    const late = await startJob(product(), `${CPU}-0`)
    await untilTrue('the surplus worker to drain', async () => isDraining(jobs[1]), patient)
    expect(await isStaying(product(), jobs[1].pod)).toBe(true)
    await completes(jobs[1])
    await timed('its job has ended → the surplus worker leaves', () => untilLeaving(product(), jobs[1].pod))
    await completes(jobs[0])
    expect(await runsIn('day')).toBe('done')

    await kubectl('label', 'node', home, `${ROOM}=yes`)
    await timed('the primary may come back → all is Ready', async () => {
      await takenOverBy(PRIMARY)
      await allReady()
    })
    await completes(late)
    await patchNodeSet(product(), CPU, { replicas: 2 })
    await untilNodeSetReady(product(), CPU)
  })

  async function isDraining({ pod }: Job): Promise<boolean> {
    return (await slurmState(product(), pod.spec?.hostname ?? '')).includes('DRAIN')
  }
})

describe('the Kube node of the primary is lost, and', () => {
  test('jobs end, a configuration waits for the dead, or the primary does not come back with its node', async () => {
    const home = await nodeOf(PRIMARY)
    const job = await startJob(product(), `${CPU}-1`)
    await saveState(product(), PRIMARY)
    await product().cluster.killNode(home)
    console.log(`${home} has no power`)
    await takenOverBy(BACKUP)
    await addPartition('night')
    expect(await runsIn('night')).toBe('done')
    const ready = await conditionOf('Ready')
    expect(ready?.status).toBe('False')
    console.log(`${ready?.reason}: ${ready?.message}`)

    await timed('power is back → the node is Ready', () => product().cluster.restartNode(home))
    await timed('→ everything is Ready', allReady)
    await takenOverBy(PRIMARY)
    expect(await runsIn('night')).toBe('done')
    await completes(job)
  })
})

test('the operator lacks a right that two slurmctld need', async () => {
  expect(await refusals(product())).toEqual([])
})
