{{/* The claim of slurmctld. "-" and the empty text mean: no dynamic provisioning. */}}
{{- define "slurm.persistence" -}}
{{- $claim := deepCopy (. | default dict) -}}
{{- if eq (toString $claim.storageClassName) "-" }}{{ $_ := set $claim "storageClassName" "" }}{{ end -}}
{{- include "slurm.dropNulls" (dict "of" $claim) -}}
{{ toYaml $claim }}
{{- end }}

{{/* ConfigMaps that the Controller refers to, by field. Prologs begin with our own, the others with the referenced ones. */}}
{{- define "slurm.references" -}}
{{- $fullname := include "slurm.fullname" . -}}
{{- $own := dict -}}
{{- range $kind, $scripts := include "slurm.scripts" . | fromJson -}}
{{- if $scripts }}{{ $_ := set $own $kind (list (dict "name" (printf "%s-%s-scripts" $fullname $kind))) }}{{ end -}}
{{- end -}}
{{- $dcgm := default false .Values.vendor.nvidia.dcgm.enabled -}}
configFileRefs:
  {{- if .Values.configFiles }}
  - name: {{ $fullname }}-config-extra
  {{- end }}
  {{- range include "slurm.gresConfigs" . | fromJsonArray }}
  - name: {{ $fullname }}-config-{{ . }}
  {{- end }}
prologScriptRefs: {{ concat (get $own "prolog" | default list) (.Values.prologScriptRefs | default list) (ternary (list (dict "name" (printf "%s-prolog-dcgm" $fullname))) list $dcgm) | toJson }}
epilogScriptRefs: {{ concat (.Values.epilogScriptRefs | default list) (get $own "epilog" | default list) (ternary (list (dict "name" (printf "%s-epilog-dcgm" $fullname))) list $dcgm) | toJson }}
prologSlurmctldScriptRefs: {{ concat (.Values.prologSlurmctldScriptRefs | default list) (get $own "prolog-slurmctld" | default list) | toJson }}
epilogSlurmctldScriptRefs: {{ concat (.Values.epilogSlurmctldScriptRefs | default list) (get $own "epilog-slurmctld" | default list) | toJson }}
{{- end }}

{{/* Scripts in the values, by the beginning of their names. */}}
{{- define "slurm.scripts" -}}
{{- toJson (dict "prolog" .Values.prologScripts "epilog" .Values.epilogScripts "prolog-slurmctld" .Values.prologSlurmctldScripts "epilog-slurmctld" .Values.epilogSlurmctldScripts) -}}
{{- end }}
