{{/* Names and labels. */}}

{{- define "slurm.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end }}

{{- define "slurm.fullname" -}}
{{- $name := include "slurm.name" . -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end }}

{{- define "slurm.namespace" -}}
{{- default .Release.Namespace .Values.namespaceOverride -}}
{{- end }}

{{/* Without versions: what is on a pod template restarts the pod when it changes. */}}
{{- define "slurm.podLabels" -}}
app.kubernetes.io/part-of: slurm
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "slurm.labels" -}}
{{ include "slurm.podLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{/* Metadata of an object of ours: (dict "root" $ "name" $name), and for resources "metadata" and "annotations". */}}
{{- define "slurm.metadata" -}}
{{- $extra := .metadata | default dict -}}
{{- $labels := include "slurm.labels" .root | fromYaml -}}
{{- range $key, $value := $extra.labels }}{{ $_ := set $labels $key (toString $value) }}{{ end -}}
{{- $annotations := deepCopy (.annotations | default dict) -}}
{{- range $key, $value := $extra.annotations }}{{ $_ := set $annotations $key (toString $value) }}{{ end -}}
name: {{ .name }}
namespace: {{ include "slurm.namespace" .root }}
labels:
  {{- toYaml $labels | nindent 2 }}
{{- with $annotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* The pod template of a resource: (dict "root" $ "metadata" … "podSpec" …), and "hostname" for workers. */}}
{{- define "slurm.template" -}}
{{- $extra := .metadata | default dict -}}
{{- /* Switches of a NodeSet: in its pods they would say nothing, and each change would replace all workers. */ -}}
{{- $annotations := omit ($extra.annotations | default dict) "nodeset.slinky.slurm.net/drain-on-delete" "nodeset.slinky.slurm.net/protect-until-drained" -}}
{{- $labels := include "slurm.podLabels" .root | fromYaml -}}
{{- range $key, $value := $extra.labels }}{{ $_ := set $labels $key (toString $value) }}{{ end -}}
template:
  metadata:
    labels:
      {{- toYaml $labels | nindent 6 }}
    {{- with $annotations }}
    annotations:
      {{- range $key, $value := . }}
      {{ quote $key }}: {{ toYaml (toString $value) | nindent 8 }}
      {{- end }}
    {{- end }}
  spec:
    {{- include "slurm.podSpec" . | nindent 4 }}
{{- end }}

{{- define "slurm.podSpec" -}}
{{- $spec := deepCopy (.podSpec | default dict) -}}
{{- $secrets := concat ($spec.imagePullSecrets | default list) (.root.Values.imagePullSecrets | default list) -}}
{{- if $secrets }}{{ $_ := set $spec "imagePullSecrets" $secrets }}{{ end -}}
{{- $_ := set $spec "priorityClassName" (default (include "slurm.priorityClassName" .root) $spec.priorityClassName) -}}
{{- with .hostname }}{{ $_ := set $spec "hostname" . }}{{ end -}}
{{- include "slurm.dropNulls" (dict "of" $spec) -}}
{{ toYaml $spec }}
{{- end }}

{{/* The class of all pods, or an empty text. */}}
{{- define "slurm.priorityClassName" -}}
{{- $class := .Values.priorityClass | default dict -}}
{{- if $class.enabled }}{{ default "slurm-system-critical" $class.name }}{{ end -}}
{{- end }}

{{/* A container block: (dict "root" $ "container" … "path" "controller.slurmctld"). */}}
{{- define "slurm.container" -}}
{{- $container := deepCopy (.container | default dict) -}}
{{- $_ := set $container "image" (include "slurm.image" (dict "image" $container.image "path" .path)) -}}
{{- $_ := set $container "imagePullPolicy" (default .root.Values.imagePullPolicy $container.imagePullPolicy) -}}
{{- include "slurm.dropNulls" (dict "of" $container) -}}
{{ toYaml $container }}
{{- end }}

{{/* An image: a text, or its parts. */}}
{{- define "slurm.image" -}}
{{- if kindIs "string" .image -}}
{{- required (printf "Cannot find an image: %s.image is empty." .path) .image -}}
{{- else -}}
{{- $image := .image | default dict -}}
{{- $repository := required (printf "Cannot find an image: %s.image.repository is empty. Set it to where the image is." .path) $image.repository -}}
{{- if $image.digest }}{{ printf "%s@%s" $repository $image.digest }}
{{- else if $image.tag }}{{ printf "%s:%s" $repository (include "slurm.text" $image.tag) }}
{{- else }}{{ fail (printf "Cannot tell which %s is wanted: %s.image has neither tag nor digest. Set one of them." $repository .path) }}{{ end -}}
{{- end -}}
{{- end }}

{{/* A Service block: what is null is left to the operator. */}}
{{- define "slurm.service" -}}
{{- $service := deepCopy (.service | default dict) -}}
{{- include "slurm.dropNulls" (dict "of" $service) -}}
{{- with $service }}
service:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Names and keys of what daemons and tokens are signed with: (dict "root" $ "which" "slurm" or "jwt"). */}}
{{- define "slurm.keyRef" -}}
{{- $ref := (index .root.Values (printf "%sKey" .which)).secretRef | default dict -}}
name: {{ default (printf "%s-auth-%s" (include "slurm.fullname" .root) .which) $ref.name }}
key: {{ default (printf "%s.key" .which) $ref.key }}
{{- end }}

{{- define "slurm.keyRefs" -}}
slurmKeyRef:
  {{- include "slurm.keyRef" (dict "root" . "which" "slurm") | nindent 2 }}
jwtKeyRef:
  {{- include "slurm.keyRef" (dict "root" . "which" "jwt") | nindent 2 }}
{{- end }}

{{/* Which keys the operator makes: none where a daemon outside must have the same ones. "true" means both. */}}
{{- define "slurm.generatedKeys" -}}
{{- $outside := or .Values.controller.external (and .Values.accounting.enabled .Values.accounting.external) -}}
{{- if not $outside -}}
{{- if and .Values.slurmKey.create .Values.jwtKey.create }}true
{{- else if .Values.slurmKey.create }}slurm
{{- else if .Values.jwtKey.create }}jwt
{{- end -}}
{{- end -}}
{{- end }}

{{/* Annotations by which the operator learns that. */}}
{{- define "slurm.keyAnnotations" -}}
{{- with include "slurm.generatedKeys" . }}
slinky.slurm.net/generate-keys: {{ quote . }}
{{- end }}
{{- end }}

{{- define "slurm.jwksKeyRef" -}}
{{- if .Values.jwksKeys.enabled }}
{{- $ref := .Values.jwksKeys.configMapRef | default dict }}
jwksKeyRef:
  name: {{ default (printf "%s-auth-jwks" (include "slurm.fullname" .)) $ref.name }}
  key: {{ default "jwks.json" $ref.key }}
{{- end }}
{{- end }}

{{- define "slurm.sssdConfRef" -}}
{{- $ref := .Values.sssd.secretRef | default dict -}}
name: {{ default (printf "%s-sssd-conf" (include "slurm.fullname" .)) $ref.name }}
key: {{ default "sssd.conf" $ref.key }}
{{- end }}
