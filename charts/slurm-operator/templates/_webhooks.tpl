{{/* What the webhooks of both configurations have in common. caBundle is written by the webhook or by cert-manager. */}}

{{- define "slurm-operator.webhookMetadata" -}}
{{- $about := dict "root" . "part" "webhook" -}}
name: {{ include "slurm-operator.partName" $about }}
labels:
  {{- include "slurm-operator.labels" $about | nindent 2 }}
{{- if .Values.certManager.enabled }}
annotations:
  {{- $certificate := printf "%s/%s" (include "slurm-operator.namespace" .) (include "slurm-operator.certificateSecret" .) }}
  cert-manager.io/inject-ca-from: {{ $certificate }}
  certmanager.k8s.io/inject-ca-from: {{ $certificate }}
{{- end }}
{{- end }}

{{- define "slurm-operator.webhook" -}}
failurePolicy: {{ .policy.failurePolicy }}
matchPolicy: {{ .policy.matchPolicy }}
clientConfig:
  service:
    name: {{ include "slurm-operator.partName" (dict "root" .root "part" "webhook") }}
    namespace: {{ include "slurm-operator.namespace" .root }}
    path: {{ .path }}
{{- end }}

{{/* Never the namespaces that Kubernetes itself needs: a broken webhook must not stop it. */}}
{{- define "slurm-operator.namespaceSelector" -}}
{{- $wanted := include "slurm-operator.namespaces" (dict "root" .root "part" "webhook") | fromJsonArray -}}
matchExpressions:
  {{- with $wanted }}
  - key: kubernetes.io/metadata.name
    operator: In
    values:
      {{- range . }}
      - {{ quote . }}
      {{- end }}
  {{- end }}
  - key: kubernetes.io/metadata.name
    operator: NotIn
    values:
      - kube-system
      - kube-public
      - kube-node-lease
      {{- with .without }}
      - {{ . }}
      {{- end }}
{{- end }}
