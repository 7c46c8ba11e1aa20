import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Artefact } from '../cache/cache.ts'
import { goArtefact } from './go.ts'
import { KUBERNETES_VERSION } from './versions.ts'

const kubernetesPrograms = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubelet',
  'kube-proxy',
  'kubectl',
]

/** Without these stamps a server reports v0.0.0-master, which Helm and client libraries refuse. */
function versionStamps(): string[] {
  const [major = '', minor = ''] = KUBERNETES_VERSION.split('.')
  const stamps = { gitVersion: `v${KUBERNETES_VERSION}`, gitMajor: major, gitMinor: minor, gitTreeState: 'clean' }
  const packages = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version']
  return packages.flatMap((path) =>
    Object.entries(stamps).flatMap(([name, value]) => ['-X', `${path}.${name}=${value}`]),
  )
}

/** The API server alone: built before anything else, because most tests need nothing more. */
export const kubeApiServer: Artefact = goArtefact({
  name: 'kube-apiserver',
  module: 'kubernetes',
  package: './cmd/apiserver',
  sources: ['cmd/apiserver/main.go'],
  linkFlags: versionStamps(),
  usuallySeconds: 240,
})

/** All programs of Kubernetes in one, with a link for each name it can be called by. */
export const kube: Artefact = goArtefact({
  name: 'kube',
  module: 'kubernetes',
  package: './cmd/kube',
  sources: ['cmd/kube/main.go'],
  linkFlags: versionStamps(),
  usuallySeconds: 110,
  finish: async (folder) => kubernetesPrograms.forEach((name) => symlinkSync('kube', join(folder, name))),
})
