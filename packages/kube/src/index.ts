/**
 * How to talk to an API server, and the arithmetic of its objects.
 *
 * @module
 */

// How we get there: who we are and where the server is.
export { createCredentials, type Access, type Credentials, type TlsMaterial } from './config/credentials.ts'
export { HiddenText } from './config/hidden-text.ts'
export { findInClusterSettings } from './config/in-cluster.ts'
export {
  mergeKubeconfigs,
  parseKubeconfig,
  type Fields,
  type KubeconfigDocument,
} from './config/kubeconfig-document.ts'
export { loadSettings, readKubeconfig, readKubeconfigs, type LoadOptions } from './config/load-settings.ts'
export { resolveContext } from './config/resolve-context.ts'
export type { RunPlugin } from './config/run-plugin.ts'
export type * from './config/settings.ts'

// What may go wrong.
export * from './errors/kube-error.ts'
export type * from './errors/reasons.ts'
export { redact } from './errors/redact.ts'

// One request after the other.
export * from './transport/clock.ts'
export type * from './transport/http.ts'
export { parseJson, stringifyJson } from './transport/json.ts'
export { createNodeTransport, type NodeTransportOptions } from './transport/node-transport.ts'
export type { FinishedRequest } from './transport/observe.ts'
export { defaultRetryPolicy, type RetryPolicy } from './transport/plan-retry.ts'
export type { RateLimit } from './transport/rate-limit.ts'

// The client.
export type { ApiRequest, CallOptions, ClientOptions } from './client/channel.ts'
export * from './client/client.ts'
export type {
  ApplyOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  PageOptions,
  WatchOptions,
  WriteOptions,
} from './client/options.ts'
export type { Patch } from './client/patch.ts'
export { collectionPath, objectPath, type Query } from './client/paths.ts'
export type { List } from './client/read-list.ts'
export type { ListPage, Reader, Visitor } from './client/reader.ts'
export * from './client/resource.ts'
export type { PartialObjectMetadata } from './client/shapes.ts'
export type { Subresource } from './client/subresource.ts'
export type { Change } from './client/watch.ts'
export type { Deletion, Writer } from './client/writer.ts'
export { discover } from './discovery/discover.ts'
export * from './discovery/discovered.ts'

// The kinds of Kubernetes.
export type * from './types/apply-schema.ts'
export { applySchema } from './types/generated/apply-schema.ts'
export { mergeSchema } from './types/generated/merge-schema.ts'
export * from './types/generated/resources.ts'
export { schemaNames } from './types/generated/schema-names.ts'
export type * from './types/generated/types.ts'
export { valueSchema } from './types/generated/value-schema.ts'
export type * from './types/value-schema.ts'

// The arithmetic of objects. Where the generated types have the same names, these are the ones to use.
export type { Condition } from './conditions/condition.ts'
export type { IntOrString } from './int-or-string/int-or-string.ts'
export type { OwnerReference } from './owner-references/owner-references.ts'
export type { LabelSelector, LabelSelectorRequirement } from './selectors/label-selector.ts'
export * from './conditions/condition.ts'
export * from './conditions/overall-status.ts'
export * from './conditions/set-condition.ts'
export * from './go-json/print-go-json.ts'
export * from './int-or-string/int-or-string.ts'
export * from './json/equal-json.ts'
export * from './json/field-names.ts'
export * from './json/json-value.ts'
export * from './json-patch/apply-json-patch.ts'
export * from './json-patch/diff-json.ts'
export * from './json-patch/json-patch.ts'
export { applyStrategicMerge } from './merge/apply-strategic-merge.ts'
export * from './merge/create-strategic-patch.ts'
export { StrategicMergeError } from './merge/directives.ts'
export * from './merge/json-merge-patch.ts'
export type * from './merge/merge-schema.ts'
export * from './names/shorten-name.ts'
export * from './names/why-invalid-metadata.ts'
export * from './names/why-invalid-name.ts'
export * from './owner-references/owner-references.ts'
export * from './quantity/is-pod-quantity.ts'
export * from './quantity/parse-quantity.ts'
export * from './quantity/print-quantity.ts'
export * from './quantity/quantity-arithmetic.ts'
export * from './quantity/quantity-units.ts'
export * from './quantity/quantity.ts'
export * from './revision-hash/equal-templates.ts'
export * from './revision-hash/revision-hash.ts'
export * from './selectors/field-selector.ts'
export * from './selectors/label-selector.ts'
export * from './selectors/match-labels.ts'
export * from './selectors/parse-selector.ts'
export * from './selectors/print-selector.ts'
export * from './selectors/requirement.ts'
export * from './time/duration.ts'
export * from './time/time.ts'
