/**
 * A real Kubernetes and a real Slurm on one machine, for tests and for `npm start`. Nothing of this ships.
 *
 * @module
 */
export { startApiServer, type ApiServer, type ApiServerOptions } from './api-server/start-api-server.ts'
export { startCluster, type ClusterOptions } from './cluster/start-cluster.ts'
export type { Cluster } from './cluster/cluster.ts'
export { fakeNodeSelector, fakeNodeTaint } from './cluster/fake-nodes.ts'
export { SHELL_IMAGE, slurmImage } from './cluster/images.ts'
export { SHARED_FOLDER } from './cluster/layout.ts'
export { until, untilTrue } from './machine/until.ts'
export { createClusterKeys, issue } from './pki/authority.ts'
export { KUBERNETES_VERSION } from './programs/versions.ts'
export { silentProgress, type Progress } from './progress/progress.ts'
export { whyNotHere } from './box/require-boxes.ts'
export { startSlurm, whyNoRelease } from './slurm/start-slurm.ts'
export type { Slurm, SlurmOptions } from './slurm/slurm.ts'
export { installOperator, OPERATOR_NAMESPACE, runHelm, type OperatorOptions } from './product/install-operator.ts'
export { installSlurm, SLURM_NAMESPACE, type SlurmClusterOptions } from './product/install-slurm.ts'
export { untilReady } from './product/until-ready.ts'
export type { Target } from './product/target.ts'
