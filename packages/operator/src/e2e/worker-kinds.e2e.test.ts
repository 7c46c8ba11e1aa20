import { annotationKeys, nodeSetResource, YES } from '@slurm-operator/api'
import { configMapResource, isNotFound, persistentVolumeClaimResource, secretResource } from '@slurm-operator/kube'
import { untilTrue } from '@slurm-operator/local'
import { describe, expect, test } from 'vitest'
import { hostOf, leavesAfterJob, nodeOf, untilDraining } from './gen-jobs.ts'
import {
  createNodeSet,
  endJob,
  FAT,
  fateOf,
  installExample,
  isReady,
  namespace,
  onLogin,
  patchNodeSet,
  patient,
  productForSuite,
  readNodeSet,
  readPod,
  refusals,
  startJob,
  timed,
  untilNodeSetReady,
  untilReplaced,
} from './gen.ts'

// Without a step for what comes by ssh, nobody is let in.
const withSessions = 'controller.extraConfMap.PrologFlags=Contain'
const product = productForSuite({ install: (installed) => installExample(installed, [withSessions]) })

const kubectl = (...words: readonly string[]) => product().cluster.kubectl(words)

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
    for (const name of ['drop', 'keep']) await nodeSets().delete({ namespace, name })
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
    await untilDraining(product(), hostOf(job))
    await leavesAfterJob(product(), job)
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
    await untilDraining(product(), hostOf(job))
    await leavesAfterJob(product(), job)
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
