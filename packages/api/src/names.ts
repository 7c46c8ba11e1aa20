/**
 * Every name that is derived from the name of one of our objects. All functions take that name as plain text; the
 * derived object lives in the same namespace. Users, charts and dashboards rely on these names.
 *
 * @module
 */
import { LONGEST_SUBDOMAIN, shortenName } from '@slurm-operator/kube'
import { asNamePart } from './name-part.ts'
import { DEFAULT_TOKEN_KEY, DEFAULT_TOKEN_USER, paths } from './constants.ts'

// Controller

/** The StatefulSet of a Controller. */
export const controllerStatefulSetName = (controller: string): string => `${controller}-controller`
/** One of its pods. */
export const controllerPodName = (controller: string, ordinal: number): string => `${controller}-controller-${ordinal}`
/** The Service that leads to the slurmctld in charge. */
export const controllerServiceName = (controller: string): string => `${controller}-controller`
/** The headless Service that gives each slurmctld pod its host name. */
export const controllerInternalServiceName = (controller: string): string => `${controller}-controller-internal`
/** The ConfigMap with slurm.conf. */
export const controllerConfigMapName = (controller: string): string => `${controller}-config`
/** The ServiceMonitor. */
export const controllerServiceMonitorName = (controller: string): string => `${controller}-controller`
/** The claim with the state of slurmctld; there is one, also for several pods. */
export const controllerClaimName = (controller: string): string => `statesave-${controller}-controller-0`

/** The headless Service of all workers of a Controller. */
export const workerServiceName = (controller: string): string => `slurm-workers-${controller}`
/** The disruption budget of all busy workers of a Controller. */
export const workerDisruptionBudgetName = (controller: string): string => `slurm-workers-pdb-${controller}`

/** The ClusterName of slurm.conf. */
export function clusterNameOf(controller: {
  readonly metadata: { readonly name?: string; readonly namespace?: string }
  readonly spec: { readonly clusterName?: string }
}): string {
  const { name = '', namespace = '' } = controller.metadata
  return controller.spec.clusterName || `${namespace}_${name}`
}

/** The folder in which slurmctld keeps its state. */
export const slurmctldSpoolPath = (clusterName: string): string => `${paths.slurmctldSpool}/${clusterName}`

// Accounting

/** The StatefulSet of an Accounting. */
export const accountingStatefulSetName = (accounting: string): string => `${accounting}-accounting`
/** Its only pod. */
export const accountingPodName = (accounting: string): string => `${accounting}-accounting-0`
/** Its Service. */
export const accountingServiceName = (accounting: string): string => `${accounting}-accounting`
/** The Secret with slurmdbd.conf. */
export const accountingConfigSecretName = (accounting: string): string => `${accounting}-accounting`

// RestApi

/** The Deployment of a RestApi. */
export const restApiDeploymentName = (restApi: string): string => `${restApi}-restapi`
/** Its Service. */
export const restApiServiceName = (restApi: string): string => `${restApi}-restapi`

// LoginSet and NodeSet

/** The Deployment of a LoginSet. */
export const loginSetDeploymentName = (loginSet: string): string => loginSet
/** Its Service. */
export const loginSetServiceName = (loginSet: string): string => loginSet
/** The Secret with the SSH host keys of a LoginSet. */
export const sshHostKeysSecretName = (loginSet: string): string => `${loginSet}-ssh-host-keys`
/** The ConfigMap with the sshd_config of a LoginSet or NodeSet. */
export const sshConfigMapName = (set: string): string => `${set}-ssh-config`

/** The reservation of a NodeSet's scheduled update in Slurm. */
export const reservationName = (nodeSet: string): string => `SlurmOperatorMaint-${nodeSet}`

/**
 * What Slurm calls a NodeSet: the name of its nodeset line, feature and partition. It is the first word of
 * `template.spec.hostname`, or the NodeSet's own name if that has no word in it.
 */
export function slurmNodeSetName(nodeSet: {
  readonly metadata: { readonly name?: string }
  readonly spec: { readonly template?: { readonly spec?: { readonly hostname?: unknown } } }
}): string {
  const hostname = nodeSet.spec.template?.spec?.hostname
  const word = typeof hostname === 'string' ? (hostname.trim().split(/\s+/)[0] ?? '') : ''
  return word.replace(/^-+|-+$/g, '') || (nodeSet.metadata.name ?? '')
}

// Token

/** The parts of a Token that its Secret is named after. */
interface TokenLike {
  readonly metadata: { readonly name?: string }
  readonly spec: {
    readonly username?: string
    readonly secretRef?: { readonly name?: string; readonly key?: string }
  }
}

/** The Slurm user of a Token. */
export const tokenUser = ({ spec }: TokenLike): string => spec.username || DEFAULT_TOKEN_USER

/** The Secret of a Token. User names with characters that object names cannot have get a hash, so that two stay two. */
export function tokenSecretName(token: TokenLike): string {
  const chosen = token.spec.secretRef?.name
  if (chosen) return chosen
  const start = `${token.metadata.name ?? ''}-jwt-`
  return shortenName(`${start}${asNamePart(tokenUser(token))}`, LONGEST_SUBDOMAIN)
}

/** The entry of that Secret. */
export const tokenSecretKey = ({ spec }: TokenLike): string => spec.secretRef?.key || DEFAULT_TOKEN_KEY

// Host names

/** What other objects in the cluster reach a Service by. */
export const shortServiceHost = (service: string, namespace: string): string => `${service}.${namespace}`
/** The same with everything. */
export const fullServiceHost = (service: string, namespace: string, clusterDomain: string): string =>
  `${service}.${namespace}.svc.${clusterDomain}`
/** The host name of one slurmctld pod. */
export const controllerPodHost = (controller: string, ordinal: number, namespace: string): string =>
  `${controllerPodName(controller, ordinal)}.${controllerInternalServiceName(controller)}.${namespace}`

/** The cluster domain that `/etc/resolv.conf` knows; `cluster.local` if it knows none. */
export function clusterDomainOf(resolvConf: string): string {
  const searched = resolvConf.split('\n').flatMap((line) => {
    const [word, ...domains] = line.trim().split(/\s+/)
    return word === 'search' ? domains : []
  })
  const found = searched.find((domain) => domain.startsWith('svc.'))?.slice('svc.'.length)
  return found || 'cluster.local'
}
