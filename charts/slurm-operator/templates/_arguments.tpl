{{/* Flags of the two programs, in the order of the reference; each takes (dict "root" $ "part" $part). */}}

{{- define "slurm-operator.arguments" -}}
{{- $values := index .root.Values .part -}}
{{- if eq .part "operator" }}{{ include "slurm-operator.workerArguments" . }}{{ end }}
- --zap-log-level
- {{ toString $values.logLevel | quote }}
{{- if eq .part "webhook" }}
- --server-addr
- {{ include "slurm-operator.serverAddress" .root | quote }}
{{- end }}
- --health-addr
- {{ printf ":%s" (include "slurm-operator.port" (merge (dict "field" "healthPort") .)) | quote }}
{{- $metrics := include "slurm-operator.metricsPort" . }}
- --metrics-addr
- {{ ternary "0" (printf ":%s" $metrics) (eq $metrics "0") | quote }}
{{- if $values.metricsSecure }}
- --metrics-secure
{{- end }}
{{- if $values.profile }}
- --profile
{{- end }}
{{- with $values.profileAddr }}
- --profile-addr
- {{ quote . }}
{{- end }}
{{- if $values.leaderElection }}
- --leader-elect
{{- end }}
- --leader-elect-namespace
- {{ include "slurm-operator.namespace" .root }}
{{- with $values.namespaces }}
- --namespaces
- {{ quote . }}
{{- end }}
{{- if eq .part "operator" }}
{{- with .root.Values.propagatedNodeConditions }}
- --propagated-node-conditions
- {{ join "," . | quote }}
{{- end }}
{{- if include "slurm-operator.isShared" .root }}
- --webhook
- --server-addr
- {{ include "slurm-operator.serverAddress" .root | quote }}
{{- include "slurm-operator.certificateArguments" .root }}
{{- end }}
{{- else }}
{{- include "slurm-operator.certificateArguments" .root }}
{{- end }}
{{- end }}

{{- define "slurm-operator.serverAddress" -}}
{{- printf ":%s" (include "slurm-operator.port" (dict "root" . "part" "webhook" "field" "serverPort")) -}}
{{- end }}

{{- define "slurm-operator.workerArguments" -}}
{{- $values := .root.Values.operator -}}
{{- range $kind := list "accounting" "controller" "loginset" "nodeset" "restapi" "token" "slurmclient" }}
{{- with index $values (printf "%sWorkers" $kind) }}
- --{{ $kind }}-workers
- {{ int . | quote }}
{{- end }}
{{- end }}
{{- end }}

{{/* With these the webhook keeps its own authority and tells it to the API server. */}}
{{- define "slurm-operator.certificateArguments" -}}
{{- if not .Values.certManager.enabled }}
{{- $webhook := include "slurm-operator.partName" (dict "root" . "part" "webhook") }}
{{- $namespace := include "slurm-operator.namespace" . }}
- --cert-secret
- {{ printf "%s/%s" $namespace (include "slurm-operator.certificateSecret" .) }}
- --cert-service
- {{ printf "%s.%s" $webhook $namespace }}
- --webhook-configurations
- validating/{{ $webhook }}{{ if .Values.webhook.podsBinding }},mutating/{{ $webhook }}{{ end }}
{{- end }}
{{- end }}
