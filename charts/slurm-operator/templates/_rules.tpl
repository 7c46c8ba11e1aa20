{{/*
What the programs may do, and why; a test shows that each right is used. Children are written by server-side apply (patch,
and create for new ones, after a look: get), status by patch. In "namespaced" is what depends on the namespaces that are
looked after; "cluster" belongs to no namespace; "own" is in the namespace of the programs. Each takes
(dict "root" $ "part" $part).
*/}}

{{- define "slurm-operator.rules.operator.namespaced" -}}
{{- $change := list "create" "delete" "list" "patch" "watch" -}}
{{- $apply := append $change "get" | sortAlpha -}}
- apiGroups: ['']
  resources: [configmaps, secrets, services]
  verbs: {{ toJson $apply }}
- apiGroups: ['']
  resources: [persistentvolumeclaims, pods]
  verbs: {{ toJson $change }}
- apiGroups: [''] # what Slurm says about a worker becomes conditions of its pod
  resources: [pods/status]
  verbs: [patch]
- apiGroups: [''] # pods that own the claims which go with them, where the API server checks that
  resources: [pods/finalizers]
  verbs: [update]
- apiGroups: [apps]
  resources: [statefulsets]
  verbs: {{ toJson $apply }}
- apiGroups: [apps]
  resources: [controllerrevisions]
  verbs: {{ toJson $change }}
- apiGroups: [apps] # they go with their owners, never before
  resources: [deployments]
  verbs: {{ without $apply "delete" | toJson }}
- apiGroups: [events.k8s.io]
  resources: [events]
  verbs: [create, patch]
- apiGroups: [monitoring.coreos.com]
  resources: [servicemonitors]
  verbs: {{ toJson $apply }}
- apiGroups: [policy]
  resources: [poddisruptionbudgets]
  verbs: {{ toJson $apply }}
- apiGroups: [slinky.slurm.net]
  resources: [accountings, clusters, controllers, loginsets, nodesets, restapis, tokens]
  verbs: [list, watch]
- apiGroups: [slinky.slurm.net] # its finalizer, and whether it is still there before something becomes its own
  resources: [nodesets]
  verbs: [get, patch]
- apiGroups: [slinky.slurm.net] # owners that block their own deletion, where the API server checks that
  resources: [accountings/finalizers, controllers/finalizers, loginsets/finalizers, nodesets/finalizers, restapis/finalizers, tokens/finalizers]
  verbs: [update]
- apiGroups: [slinky.slurm.net]
  resources: [accountings/status, clusters/status, controllers/status, loginsets/status, nodesets/status, restapis/status, tokens/status]
  verbs: [patch]
{{- end }}

{{- define "slurm-operator.rules.operator.cluster" -}}
- apiGroups: ['']
  resources: [nodes]
  verbs: [list, watch]
{{- include "slurm-operator.rules.reviews" . }}
{{- end }}

{{- define "slurm-operator.rules.operator.own" -}}
{{- if .root.Values.operator.leaderElection }}
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  verbs: [create, get, update]
{{- end }}
{{- end }}

{{/* References of a resource are looked at when it is checked, and the sets that share its names. */}}
{{- define "slurm-operator.rules.webhook.namespaced" -}}
- apiGroups: ['']
  resources: [configmaps, persistentvolumeclaims{{ if .root.Values.webhook.podsBinding }}, pods{{ end }}]
  verbs: [get]
- apiGroups: [slinky.slurm.net]
  resources: [nodesets]
  verbs: [list]
{{- end }}

{{- define "slurm-operator.rules.webhook.cluster" -}}
{{- $name := include "slurm-operator.partName" . -}}
{{- if .root.Values.webhook.podsBinding }}
- apiGroups: ['']
  resources: [nodes]
  verbs: [get]
{{- end }}
{{- include "slurm-operator.rules.reviews" . }}
{{- if not .root.Values.certManager.enabled }}
- apiGroups: [admissionregistration.k8s.io] # tells the API server whom to trust
  resources: [validatingwebhookconfigurations{{ if .root.Values.webhook.podsBinding }}, mutatingwebhookconfigurations{{ end }}]
  resourceNames: [{{ $name }}]
  verbs: [get, patch]
{{- end }}
{{- end }}

{{- define "slurm-operator.rules.webhook.own" -}}
{{- if not .root.Values.certManager.enabled }}
- apiGroups: ['']
  resources: [secrets]
  resourceNames: [{{ include "slurm-operator.certificateSecret" .root }}]
  verbs: [get, patch]
- apiGroups: [''] # names cannot limit create
  resources: [secrets]
  verbs: [create]
{{- end }}
{{- end }}

{{- define "slurm-operator.rules.reviews" -}}
{{- if (index .root.Values .part).metricsSecure }}
- apiGroups: [authentication.k8s.io]
  resources: [tokenreviews]
  verbs: [create]
- apiGroups: [authorization.k8s.io]
  resources: [subjectaccessreviews]
  verbs: [create]
{{- end }}
{{- end }}

{{/* A Role or ClusterRole and its binding, both under one name; nothing when there are no rules. */}}
{{- define "slurm-operator.role" -}}
{{- if trim .rules }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: {{ .kind }}
metadata:
  {{- include "slurm-operator.roleMetadata" . | nindent 2 }}
rules:
  {{- trim .rules | nindent 2 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: {{ .kind }}Binding
metadata:
  {{- include "slurm-operator.roleMetadata" . | nindent 2 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: {{ .kind }}
  name: {{ .name }}
subjects:
  - kind: ServiceAccount
    name: {{ .account }}
    namespace: {{ include "slurm-operator.namespace" .root }}
{{- end }}
{{- end }}

{{- define "slurm-operator.roleMetadata" -}}
name: {{ .name }}
{{- with .namespace }}
namespace: {{ . }}
{{- end }}
labels:
  {{- include "slurm-operator.labels" . | nindent 2 }}
{{- end }}
