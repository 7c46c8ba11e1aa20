import { expect, test } from 'vitest'
import { textsOf } from './project-files.ts'
import { HELM_VERSION, KUBERNETES_VERSION, LOCAL_PATH_PROVISIONER_VERSION } from './versions.ts'

const [kubernetes = '', addons = '', helm = ''] = textsOf('go/kubernetes/go.mod', 'go/addons/go.mod', 'go/helm/go.mod')

test('a program says another version than it was built from', () => {
  expect(kubernetes).toContain(`k8s.io/kubernetes v${KUBERNETES_VERSION}\n`)
  expect(addons).toContain(`github.com/rancher/local-path-provisioner v${LOCAL_PATH_PROVISIONER_VERSION}\n`)
  expect(helm).toContain(`helm.sh/helm/v4 v${HELM_VERSION}\n`)
})

test('one staging module of Kubernetes is of another release than the rest', () => {
  const replaced = [...kubernetes.matchAll(/^\tk8s\.io\/\S+ => k8s\.io\/\S+ v(\S+)$/gm)].map(([, version]) => version)
  expect(replaced.length).toBeGreaterThan(30)
  expect(new Set(replaced)).toEqual(new Set([KUBERNETES_VERSION.replace(/^1\./, '0.')]))
})
