{{/*
Values that the chart does not know, one line each, with what was probably meant. A tree of known names stands in
files/known-values.json: true is anything, "*" any name.
*/}}

{{- define "unknown-values" -}}
{{- include "unknown-values.in" (dict "known" (.Files.Get "files/known-values.json" | fromJson) "given" .Values "path" "") -}}
{{- end }}

{{- define "unknown-values.in" -}}
{{- $context := . -}}
{{- range $name, $value := .given -}}
{{- $path := printf "%s%s" $context.path $name -}}
{{- $below := get $context.known $name -}}
{{- if not (hasKey $context.known $name) }}{{ $below = get $context.known "*" }}{{ end -}}
{{- if kindIs "map" $below -}}
{{- if kindIs "map" $value }}{{ include "unknown-values.in" (dict "known" $below "given" $value "path" (printf "%s." $path)) }}{{ end -}}
{{- else if not (eq (toString $below) "true") }}
{{ $path }}{{ include "unknown-values.advice" (dict "known" $context.known "name" $name "path" $context.path) }}
{{- end -}}
{{- end -}}
{{- end }}

{{/* The known name that looks most alike, or the place one level deeper that has this name. */}}
{{- define "unknown-values.advice" -}}
{{- $context := . -}}
{{- $best := dict "name" "" "score" 49 -}}
{{- $deeper := list -}}
{{- range $known, $below := .known -}}
{{- $score := include "unknown-values.likeness" (dict "one" $context.name "other" $known) | int -}}
{{- if gt $score (int $best.score) }}{{ $_ := set $best "name" $known }}{{ $_ := set $best "score" $score }}{{ end -}}
{{- if and (kindIs "map" $below) (ne $known "*") }}{{ if hasKey $below $context.name }}{{ $deeper = append $deeper (printf "%s%s.%s" $context.path $known $context.name) }}{{ end }}{{ end -}}
{{- end -}}
{{- if $deeper }} (did you mean {{ join " or " $deeper }}?)
{{- else if $best.name }} (did you mean {{ $context.path }}{{ $best.name }}?){{ end -}}
{{- end }}

{{/* How many in a hundred pairs of neighbouring letters two names share. */}}
{{- define "unknown-values.likeness" -}}
{{- $one := lower .one -}}
{{- $other := lower .other -}}
{{- $pairs := add (len $one) (len $other) -2 -}}
{{- $common := 0 -}}
{{- if and (gt (len $one) 1) (gt (len $other) 1) -}}
{{- range $at := until (int (sub (len $one) 1)) -}}
{{- if contains (substr $at (int (add $at 2)) $one) $other }}{{ $common = add $common 1 }}{{ end -}}
{{- end -}}
{{- end -}}
{{- if gt $pairs 0 }}{{ div (mul 200 $common) $pairs }}{{ else }}0{{ end -}}
{{- end }}
