{{/*
Names and labels. What runs is called a part: "operator" or "webhook". Most helpers take
(dict "root" $ "part" $part).
*/}}

{{- define "slurm-operator.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end }}

{{- define "slurm-operator.fullname" -}}
{{- $name := include "slurm-operator.name" . -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end }}

{{- define "slurm-operator.namespace" -}}
{{- default .Release.Namespace .Values.namespaceOverride -}}
{{- end }}

{{/* Deployments, Services and what belongs to the webhook are named after the chart, as existing installations have it. */}}
{{- define "slurm-operator.partName" -}}
{{- $name := include "slurm-operator.name" .root -}}
{{- if eq .part "webhook" }}{{ printf "%s-webhook" $name }}{{ else }}{{ $name }}{{ end -}}
{{- end }}

{{- define "slurm-operator.serviceAccountName" -}}
{{- $account := (index .root.Values .part).serviceAccount | default dict -}}
{{- if $account.name -}}
{{- $account.name -}}
{{- else if not $account.create -}}
default
{{- else if eq .part "webhook" -}}
{{- include "slurm-operator.partName" . -}}
{{- else -}}
{{- include "slurm-operator.fullname" .root -}}
{{- end -}}
{{- end }}

{{/* "true" if the operator's pods answer for the webhook too. */}}
{{- define "slurm-operator.isShared" -}}
{{- $webhook := .Values.webhook -}}
{{- if and $webhook.enabled (not $webhook.ownDeployment) -}}
{{- if not .Values.operator.enabled }}{{ fail "Cannot run the webhook in the operator's pods: operator.enabled is false. Set webhook.ownDeployment to true." }}{{ end -}}
true
{{- end -}}
{{- end }}

{{/* The parts that have pods, as a JSON list. */}}
{{- define "slurm-operator.parts" -}}
{{- $parts := list -}}
{{- if .Values.operator.enabled }}{{ $parts = append $parts "operator" }}{{ end -}}
{{- if and .Values.webhook.enabled (not (include "slurm-operator.isShared" .)) }}{{ $parts = append $parts "webhook" }}{{ end -}}
{{- toJson $parts -}}
{{- end }}

{{/* The part whose pods do the work of this part. */}}
{{- define "slurm-operator.runsIn" -}}
{{- if and (eq .part "webhook") (include "slurm-operator.isShared" .root) }}operator{{ else }}{{ .part }}{{ end -}}
{{- end }}

{{/* "true" if the part gets Roles and bindings from us. */}}
{{- define "slurm-operator.hasRbac" -}}
{{- $values := index .root.Values (include "slurm-operator.runsIn" .) -}}
{{- $wish := ($values.rbac | default dict).create -}}
{{- if kindIs "invalid" $wish }}{{- $wish = ($values.serviceAccount | default dict).create }}{{ end -}}
{{- if and (index .root.Values .part).enabled $wish }}true{{ end -}}
{{- end }}

{{- define "slurm-operator.selectorLabels" -}}
app.kubernetes.io/name: {{ include "slurm-operator.partName" . }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- end }}

{{/* Without versions: what is on a pod template restarts the pod when it changes. */}}
{{- define "slurm-operator.podLabels" -}}
{{ include "slurm-operator.selectorLabels" . }}
app.kubernetes.io/part-of: slurm-operator
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- end }}

{{- define "slurm-operator.labels" -}}
{{ include "slurm-operator.podLabels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "slurm-operator.metadata" -}}
name: {{ include "slurm-operator.partName" . }}
namespace: {{ include "slurm-operator.namespace" .root }}
labels:
  {{- include "slurm-operator.labels" . | nindent 2 }}
{{- end }}

{{/* The image of a part: a text, or its parts. */}}
{{- define "slurm-operator.image" -}}
{{- $image := (index .root.Values .part).image -}}
{{- if kindIs "string" $image -}}
{{- required (printf "Cannot find the image: %s.image is empty. Set %s.image.repository." .part .part) $image -}}
{{- else -}}
{{- $image = $image | default dict -}}
{{- $repository := required (printf "Cannot find the image: %s.image.repository is empty. Set it to where the image is." .part) $image.repository -}}
{{- if $image.digest }}{{ printf "%s@%s" $repository $image.digest }}
{{- else }}{{ printf "%s:%s" $repository (toString (default .root.Chart.Version $image.tag)) }}{{ end -}}
{{- end -}}
{{- end }}

{{/* A port from the values, as text; 0 where it may be switched off. Takes also "field". */}}
{{- define "slurm-operator.port" -}}
{{- $value := index (index .root.Values .part) .field -}}
{{- $text := toString $value -}}
{{- if kindIs "invalid" $value }}{{ $text = "0" }}{{ end -}}
{{- if kindIs "float64" $value }}{{ $text = printf "%v" $value }}{{ if eq (floor $value) $value }}{{ $text = printf "%.0f" $value }}{{ end }}{{ end -}}
{{- if or (not (regexMatch "^(0|[1-9][0-9]{0,4})$" $text)) (gt (int $text) 65535) -}}
{{- fail (printf "Cannot use %s.%s=%q: a port is a whole number from 0 to 65535, without leading zeros. 0 switches it off." .part .field $text) -}}
{{- end -}}
{{- $text -}}
{{- end }}

{{/* The metrics port of a part; HTTPS for nobody is a mistake. */}}
{{- define "slurm-operator.metricsPort" -}}
{{- $port := include "slurm-operator.port" (merge (dict "field" "metricsPort") .) -}}
{{- if and (index .root.Values .part).metricsSecure (eq $port "0") -}}
{{- fail (printf "Cannot serve metrics securely: %s.metricsSecure is true but %s.metricsPort is 0. Set a port, or metricsSecure to false." .part .part) -}}
{{- end -}}
{{- $port -}}
{{- end }}

{{/* The namespaces of a part as a JSON list; empty means all. */}}
{{- define "slurm-operator.namespaces" -}}
{{- $names := list -}}
{{- range splitList "," (toString ((index .root.Values .part).namespaces | default "")) -}}
{{- with trim . }}{{ $names = append $names . }}{{ end -}}
{{- end -}}
{{- $names | uniq | toJson -}}
{{- end }}

{{/* The Secret with the webhook's certificate. cert-manager's own is left alone when it is switched off. */}}
{{- define "slurm-operator.certificateSecret" -}}
{{- if .Values.certManager.enabled -}}
{{- required "Cannot ask cert-manager for a certificate: certManager.secretName is empty." .Values.certManager.secretName -}}
{{- else -}}
{{- printf "%s-tls" (include "slurm-operator.partName" (dict "root" . "part" "webhook")) -}}
{{- end -}}
{{- end }}
