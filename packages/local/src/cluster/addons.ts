import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startIn, type Box } from '../box/box.ts'
import { projectFile } from '../programs/project-files.ts'
import type { Run } from '../runs/run.ts'
import { SHELL_IMAGE } from './images.ts'
import type { Kubectl } from './kubectl.ts'

/** Create the objects that DNS and volumes need. */
export async function applyBase(kubectl: Kubectl): Promise<void> {
  await kubectl(['apply', '--server-side', '-f', '-'], {
    input: readFileSync(projectFile('manifests/base.yaml'), 'utf8'),
  })
}

/** Start CoreDNS and the volume provisioner as processes of the first node. */
export async function startAddons(run: Run, box: Box): Promise<void> {
  writeProvisionerFiles(join(box.folder, 'etc'))
  await startIn(run, box, 'coredns', ['/k8s/coredns/coredns', '-conf', '/k8s/etc/Corefile'])
  await startIn(run, box, 'local-path-provisioner', [
    '/k8s/local-path-provisioner/local-path-provisioner',
    'start',
    ...['--kubeconfig', '/k8s/keys/local-path-provisioner.conf'],
    ...['--config', '/k8s/etc/local-path.json', '--helper-pod-file', '/k8s/etc/local-path-helper.json'],
    ...['--namespace', 'kube-system', '--configmap-name', 'local-path-config'],
    ...['--helper-image', SHELL_IMAGE, '--service-account-name', 'default'],
  ])
}

function writeProvisionerFiles(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const config = { nodePathMap: [{ node: 'DEFAULT_PATH_FOR_NON_LISTED_NODES', paths: ['/var/local-path'] }] }
  const container = { name: 'helper-pod', image: SHELL_IMAGE, imagePullPolicy: 'IfNotPresent' }
  const spec = {
    priorityClassName: 'system-node-critical',
    terminationGracePeriodSeconds: 0,
    tolerations: [{ operator: 'Exists' }],
    containers: [container],
  }
  writeFileSync(join(folder, 'local-path.json'), JSON.stringify(config))
  writeFileSync(
    join(folder, 'local-path-helper.json'),
    JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'helper-pod' }, spec }),
  )
}
