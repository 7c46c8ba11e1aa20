import type { Artefact } from '../cache/cache.ts'
import { goArtefact } from './go.ts'
import { HELM_VERSION } from './versions.ts'

/** Helm. Built when first asked for. */
export const helm: Artefact = goArtefact({
  name: 'helm',
  module: 'helm',
  package: 'helm.sh/helm/v4/cmd/helm',
  linkFlags: ['-X', `helm.sh/helm/v4/internal/version.version=v${HELM_VERSION}`],
  usuallySeconds: 110,
})
