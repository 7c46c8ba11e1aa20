{{/* Working with values: maps are changed in place, texts are returned. */}}

{{/* Whole numbers are written out, whatever their size. */}}
{{- define "slurm.text" -}}
{{- if kindIs "float64" . -}}
{{- if eq (floor .) . }}{{ printf "%.0f" . }}{{ else }}{{ toString . }}{{ end -}}
{{- else -}}
{{- toString . -}}
{{- end -}}
{{- end }}

{{/* Configuration: (dict "raw" … "map" … "separator" …). The text wins; what is null or empty is left out, 0 and false are not. */}}
{{- define "slurm.conf" -}}
{{- if .raw -}}
{{- trim .raw -}}
{{- else -}}
{{- $pairs := list -}}
{{- range $key, $value := .map -}}
{{- $text := "" -}}
{{- if kindIs "slice" $value -}}
{{- $items := list -}}
{{- range $value }}{{ $items = append $items (include "slurm.text" .) }}{{ end -}}
{{- $text = join "," $items -}}
{{- else if not (kindIs "invalid" $value) -}}
{{- $text = include "slurm.text" $value -}}
{{- end -}}
{{- if ne $text "" }}{{ $pairs = append $pairs (printf "%s=%s" $key $text) }}{{ end -}}
{{- end -}}
{{- join .separator $pairs -}}
{{- end -}}
{{- end }}

{{/* Null says nothing: remove it from a map or list "of", however deep. */}}
{{- define "slurm.dropNulls" -}}
{{- $of := .of -}}
{{- if kindIs "map" $of -}}
{{- range $key, $value := $of -}}
{{- if kindIs "invalid" $value }}{{ $_ := unset $of $key }}
{{- else }}{{ include "slurm.dropNulls" (dict "of" $value) }}{{ end -}}
{{- end -}}
{{- else if kindIs "slice" $of -}}
{{- range $of }}{{ include "slurm.dropNulls" (dict "of" .) }}{{ end -}}
{{- end -}}
{{- end }}

{{/* Lay "from" over "into": maps are merged, all else is replaced, null removes; null for one of "blocks" changes nothing. */}}
{{- define "slurm.overlay" -}}
{{- $into := .into -}}
{{- $blocks := .blocks | default list -}}
{{- range $key, $value := .from -}}
{{- $old := get $into $key -}}
{{- if kindIs "invalid" $value -}}
{{- if not (has $key $blocks) }}{{ $_ := unset $into $key }}{{ end -}}
{{- else if and (kindIs "map" $value) (kindIs "map" $old) -}}
{{- include "slurm.overlay" (dict "into" $old "from" $value) -}}
{{- else -}}
{{- $_ := set $into $key $value -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* Patch "into" with "from": maps are merged, items of lists by their key or name, new ones at the end. */}}
{{- define "slurm.patch" -}}
{{- $into := .into -}}
{{- range $key, $value := .from -}}
{{- $old := get $into $key -}}
{{- if and (kindIs "map" $value) (kindIs "map" $old) -}}
{{- include "slurm.patch" (dict "into" $old "from" $value) -}}
{{- else if and (kindIs "slice" $value) (kindIs "slice" $old) -}}
{{- $list := $old -}}
{{- range $item := $value -}}
{{- $known := dict -}}
{{- range $one := $old -}}
{{- if and (kindIs "map" $item) (kindIs "map" $one) (eq (include "slurm.itemName" $one) (include "slurm.itemName" $item)) -}}
{{- $_ := set $known "item" $one -}}
{{- end -}}
{{- end -}}
{{- if hasKey $known "item" }}{{ include "slurm.patch" (dict "into" $known.item "from" $item) }}
{{- else }}{{ $list = append $list $item }}{{ end -}}
{{- end -}}
{{- $_ := set $into $key $list -}}
{{- else -}}
{{- $_ := set $into $key $value -}}
{{- end -}}
{{- end -}}
{{- end }}

{{- define "slurm.itemName" -}}
{{- toString (default .name .key) -}}
{{- end }}

{{/* Fill "into" with the enabled entries of `loginsets` or `nodesets` ("which" is login or node), complete with defaults. */}}
{{- define "slurm.sets" -}}
{{- $root := .root -}}
{{- $into := .into -}}
{{- $which := .which -}}
{{- $blocks := list "login" "initconf" "slurmd" "logfile" "podSpec" "service" "ssh" "partition" "updateStrategy" "metadata" -}}
{{- range $key, $entry := index .root.Values (printf "%ssets" .which) -}}
{{- $set := deepCopy (index $root.Values (printf "%ssetDefaults" $which)) -}}
{{- include "slurm.overlay" (dict "into" $set "from" (deepCopy ($entry | default dict)) "blocks" $blocks) -}}
{{- if $set.enabled -}}
{{- if eq $which "node" }}{{ include "slurm.vendorPatches" (dict "root" $root "key" $key "set" $set) }}{{ end -}}
{{- $_ := set $into $key $set -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* What Slurm calls a set of workers: the beginning of their names. (dict "key" $key "set" $set) */}}
{{- define "slurm.hostname" -}}
{{- default (printf "%s-" .key) (.set.podSpec | default dict).hostname -}}
{{- end }}

{{/* One line for each enabled partition. */}}
{{- define "slurm.partitions" -}}
{{- $sets := dict -}}
{{- include "slurm.sets" (dict "root" . "which" "node" "into" $sets) -}}
{{- range $name, $partition := .Values.partitions -}}
{{- if ($partition | default dict).enabled -}}
{{- $nodes := list -}}
{{- range $key := $partition.nodesets -}}
{{- if eq (toString $key) "ALL" }}{{ $nodes = append $nodes "ALL" }}
{{- else if hasKey $sets (toString $key) }}{{ $nodes = append $nodes (include "slurm.hostname" (dict "key" $key "set" (get $sets (toString $key))) | trimAll "-") }}
{{- else }}{{ fail (printf "Cannot make partition %s: there is no enabled entry %q in nodesets. Known: %s." $name (toString $key) (keys $sets | sortAlpha | join ", " | default "none")) }}{{ end -}}
{{- end -}}
{{- if not $nodes }}{{ fail (printf "Cannot make partition %s: partitions.%s.nodesets is empty. List entries of nodesets, or ALL." $name $name) }}{{ end -}}
{{- $conf := include "slurm.conf" (dict "raw" $partition.config "map" $partition.configMap "separator" " ") }}
{{ printf "PartitionName=%s Nodes=%s %s" $name ($nodes | sortAlpha | join ",") $conf | trim }}
{{- end -}}
{{- end -}}
{{- end }}
