/**
 * Types of the parts that several kinds have.
 *
 * @module
 */
import type { Container, PersistentVolumeClaim, PodSpec, ServiceSpec } from '@slurm-operator/kube'
import type { DeepPartial, FromSchema, FromSchemaWithDefaults } from './schema/from-schema.ts'
import type { metrics } from './schema/metrics.ts'
import type { nodeSetStatus } from './schema/node-set-status.ts'
import type { persistence } from './schema/persistence.ts'
import type {
  externalConfig,
  keySelector,
  localObjectReference,
  metadata,
  podTemplate,
  serviceTemplate,
} from './schema/shared.ts'
import type { slurmFacts } from './schema/status.ts'
import type { updateStrategy } from './schema/update-strategy.ts'

/** An object in the same namespace. */
export interface LocalObjectReference extends FromSchema<typeof localObjectReference> {}
/** One entry of a Secret in the same namespace. */
export interface SecretKeySelector extends FromSchema<typeof keySelector> {}
/** One entry of a ConfigMap in the same namespace. */
export interface ConfigMapKeySelector extends FromSchema<typeof keySelector> {}
/** Labels and annotations to add. */
export interface ChildMetadata extends FromSchema<typeof metadata> {}
/** What to add to pods. */
export interface PodTemplate extends FromSchema<typeof podTemplate> {}
/** What to change about a Service. */
export interface ServiceTemplate extends FromSchema<typeof serviceTemplate> {}
/** Where a daemon outside of Kubernetes is. */
export interface ExternalConfig extends FromSchema<ReturnType<typeof externalConfig<number>>> {}
/** The metrics of Slurm, and who reads them. */
export interface MetricsSpec extends FromSchemaWithDefaults<typeof metrics> {}
/** Where slurmctld keeps its state. */
export interface PersistenceSpec extends FromSchemaWithDefaults<typeof persistence> {}
/** How workers get a new template. */
export interface UpdateStrategy extends FromSchemaWithDefaults<typeof updateStrategy> {}
/** What Slurm last said about a cluster. */
export interface SlurmFacts extends FromSchema<typeof slurmFacts> {}
/** Who waits for what. */
export type WaitingWorker = NonNullable<FromSchema<typeof nodeSetStatus>['waiting']>[number]

/** A pod as users write it over ours. */
export type PodSpecPatch = DeepPartial<PodSpec>
/** A container as users write it over ours. */
export type ContainerPatch = DeepPartial<Container>
/** A Service as users write it. */
export type ServiceSpecPatch = DeepPartial<ServiceSpec>
/** A claim as users write it. */
export type ClaimPatch = DeepPartial<PersistentVolumeClaim>
