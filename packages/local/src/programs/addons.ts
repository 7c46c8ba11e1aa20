import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Artefact } from '../cache/cache.ts'
import { goArtefact } from './go.ts'
import { LOCAL_PATH_PROVISIONER_VERSION } from './versions.ts'

/** Cluster DNS. */
export const coreDns: Artefact = goArtefact({
  name: 'coredns',
  module: 'addons',
  package: './cmd/coredns',
  sources: ['cmd/coredns/main.go'],
  usuallySeconds: 70,
})

/** Volumes: a folder of the node for each claim. */
export const localPathProvisioner: Artefact = goArtefact({
  name: 'local-path-provisioner',
  module: 'addons',
  package: 'github.com/rancher/local-path-provisioner',
  linkFlags: ['-X', `main.VERSION=v${LOCAL_PATH_PROVISIONER_VERSION}`],
  usuallySeconds: 40,
})

/** How a fake node and its pods behave; kwok has no behaviour of its own. */
const kwokStages = [
  'node/fast/node-initialize.yaml',
  'node/heartbeat-with-lease/node-heartbeat-with-lease.yaml',
  'pod/fast/pod-ready.yaml',
  'pod/fast/pod-complete.yaml',
  'pod/fast/pod-delete.yaml',
]

/** Fake nodes by the thousand. Built when first asked for. */
export const kwok: Artefact = goArtefact({
  name: 'kwok',
  module: 'addons',
  package: 'sigs.k8s.io/kwok/cmd/kwok',
  usuallySeconds: 40,
  finish: async (folder, moduleFolder) => {
    const texts = kwokStages.map((path) => readFileSync(join(moduleFolder, 'kustomize/stage', path), 'utf8'))
    writeFileSync(join(folder, 'stages.yaml'), texts.join('\n---\n'))
  },
})
