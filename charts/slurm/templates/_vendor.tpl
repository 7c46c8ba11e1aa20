{{/*
What certain hardware needs. Each integration is a patch of a set's values, before it is rendered; the machine comes
first, so that GPUs which it brings are seen by what follows.
*/}}

{{/* (dict "root" $ "key" $key "set" $set) */}}
{{- define "slurm.vendorPatches" -}}
{{- $context := . -}}
{{- range $machine := list "a3mega" "a3ultra" -}}
{{- range $entry := index $context.root.Values.vendor.google $machine -}}
{{- if eq (toString $entry.targetNodeSet) $context.key -}}
{{- $patch := include (printf "slurm.%s" $machine) (dict "entry" $entry "path" (printf "vendor.google.%s" $machine)) | fromYaml -}}
{{- include "slurm.patch" (dict "into" $context.set "from" $patch) -}}
{{- include "slurm.addGres" (dict "set" $context.set "gres" $patch.extraConfMap.Gres) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and .root.Values.vendor.nvidia.dcgm.enabled (include "slurm.hasGpus" .set) -}}
{{- include "slurm.patch" (dict "into" .set "from" (include "slurm.dcgm" .root.Values.vendor.nvidia.dcgm | fromYaml)) -}}
{{- end -}}
{{- end }}

{{/* Raw configuration hides the map, so it must say itself which GPUs there are. */}}
{{- define "slurm.addGres" -}}
{{- if and .set.extraConf (not (contains "Gres=" .set.extraConf)) }}{{ $_ := set .set "extraConf" (printf "%s Gres=%s" (trim .set.extraConf) .gres) }}{{ end -}}
{{- end }}

{{/* "true" if slurmd or its pod asks for GPUs. */}}
{{- define "slurm.hasGpus" -}}
{{- $found := false -}}
{{- range $block := list .slurmd .podSpec -}}
{{- range $side := list "limits" "requests" -}}
{{- $resources := get ($block | default dict) "resources" | default dict -}}
{{- if get (get $resources $side | default dict) "nvidia.com/gpu" }}{{ $found = true }}{{ end -}}
{{- end -}}
{{- end -}}
{{- if $found }}true{{ end -}}
{{- end }}

{{/* Machines whose gres.conf we write, as a JSON list; none if the user has written one. */}}
{{- define "slurm.gresConfigs" -}}
{{- $machines := list -}}
{{- if not (hasKey (.Values.configFiles | default dict) "gres.conf") -}}
{{- range $machine := list "a3mega" "a3ultra" -}}
{{- if index $.Values.vendor.google $machine }}{{ $machines = append $machines $machine }}{{ end -}}
{{- end -}}
{{- end -}}
{{- toJson $machines -}}
{{- end }}

{{- define "slurm.dcgm" -}}
slurmd:
  volumeMounts:
    - name: dcgm-job-mapping
      mountPath: {{ .jobMappingDir }}
podSpec:
  volumes:
    - name: dcgm-job-mapping
      hostPath:
        path: {{ .jobMappingDir }}
        type: DirectoryOrCreate
{{- end }}

{{/* A mapping that cannot be written costs a label in a dashboard; a failing prolog would cost the node. */}}
{{- define "slurm.dcgm.prolog" -}}
#!/bin/sh
# Tells the DCGM exporter which job has which GPU: a file for each GPU, with the id of the job.
folder={{ .Values.vendor.nvidia.dcgm.jobMappingDir | squote }}
mkdir -p "$folder"
for gpu in $(echo "${SLURM_JOB_GPUS:-}" | tr ',' ' '); do
  echo "$SLURM_JOB_ID" >"$folder/$gpu"
done
exit 0
{{ end }}

{{- define "slurm.dcgm.epilog" -}}
#!/bin/sh
# Removes what the prolog has written.
folder={{ .Values.vendor.nvidia.dcgm.jobMappingDir | squote }}
for gpu in $(echo "${SLURM_JOB_GPUS:-}" | tr ',' ' '); do
  rm -f "$folder/$gpu"
done
exit 0
{{ end }}

{{/* What both machines of Google have: (dict "entry" … "path" … "interfaces" …). */}}
{{- define "slurm.google" -}}
{{- $entry := .entry -}}
{{- if ne (len ($entry.networks | default list)) 9 }}{{ fail (printf "Cannot connect node set %s: %s needs exactly 9 networks, %d are given." $entry.targetNodeSet .path (len ($entry.networks | default list))) }}{{ end -}}
metadata:
  annotations:
    networking.gke.io/default-interface: eth0
    networking.gke.io/interfaces: |
      [
        {{- range $index, $interface := .interfaces }}
        {"interfaceName":{{ quote $interface }},"network":{{ index $entry.networks $index | quote }}}{{ if lt $index 8 }},{{ end }}
        {{- end }}
      ]
podSpec:
  nodeSelector:
    cloud.google.com/gke-nodepool: {{ required (printf "Cannot place node set %s: %s has no nodePool." $entry.targetNodeSet .path) $entry.nodePool }}
slurmd:
  resources:
    requests:
      nvidia.com/gpu: 8
    limits:
      nvidia.com/gpu: 8
{{- end }}

{{- define "slurm.a3mega" -}}
{{- $common := include "slurm.google" (merge (dict "interfaces" (list "eth0" "eth1" "eth2" "eth3" "eth4" "eth5" "eth6" "eth7" "eth8")) .) | fromYaml -}}
{{- include "slurm.patch" (dict "into" $common "from" (include "slurm.a3mega.own" . | fromYaml)) -}}
{{ toJson $common }}
{{- end }}

{{- define "slurm.a3mega.own" -}}
extraConfMap:
  Gres: gpu:nvidia_h100_80gb_hbm3:8
metadata:
  annotations:
    devices.gke.io/container.tcpxo-daemon: |
      {{- range until 8 }}
      - path: /dev/nvidia{{ . }}
      {{- end }}
      - path: /dev/nvidiactl
      - path: /dev/nvidia-uvm
      - path: /dev/dmabuf_import_helper
slurmd:
  env:
    - name: LD_LIBRARY_PATH
      value: /usr/local/nvidia/lib64
    - name: NCCL_FASTRAK_LLCM_DEVICE_DIRECTORY
      value: /dev/aperture_devices
  volumeMounts:
    - name: aperture-devices
      mountPath: /dev/aperture_devices
podSpec:
  containers:
    - name: tcpxo-daemon
      image: us-docker.pkg.dev/gce-ai-infra/gpudirect-tcpxo/tcpgpudmarxd-dev:v1.0.21
      imagePullPolicy: Always
      command: [/bin/sh, -c]
      args:
        - |
          set -e
          chmod 755 /fts/entrypoint_rxdm_container.sh
          exec /fts/entrypoint_rxdm_container.sh --num_hops=2 --num_nics=8 --uid= --alsologtostderr
      env:
        - name: LD_LIBRARY_PATH
          value: /usr/local/nvidia/lib64
      securityContext:
        capabilities:
          add: [NET_ADMIN, NET_BIND_SERVICE]
      volumeMounts:
        - name: libraries
          mountPath: /usr/local/nvidia/lib64
        - name: sys
          mountPath: /hostsysfs
        - name: proc-sys
          mountPath: /hostprocsysfs
  volumes:
    - name: libraries
      hostPath:
        path: /home/kubernetes/bin/nvidia/lib64
    - name: sys
      hostPath:
        path: /sys
    - name: proc-sys
      hostPath:
        path: /proc/sys
    - name: aperture-devices
      hostPath:
        path: /dev/aperture_devices
{{- end }}

{{- define "slurm.a3ultra" -}}
{{- $common := include "slurm.google" (merge (dict "interfaces" (list "eth0" "eth2" "eth3" "eth4" "eth5" "eth6" "eth7" "eth8" "eth9")) .) | fromYaml -}}
{{- include "slurm.patch" (dict "into" $common "from" (include "slurm.a3ultra.own" . | fromYaml)) -}}
{{ toJson $common }}
{{- end }}

{{- define "slurm.a3ultra.own" -}}
extraConfMap:
  Gres: gpu:nvidia_h200:8
slurmd:
  env:
    - name: LD_LIBRARY_PATH
      value: /usr/local/nvidia/lib64:/usr/local/gib/lib64
    - name: PATH
      value: /usr/local/nvidia/bin:/usr/local/gib/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
  volumeMounts:
    - name: libraries
      mountPath: /usr/local/nvidia
    - name: gib
      mountPath: /usr/local/gib
podSpec:
  volumes:
    - name: libraries
      hostPath:
        path: /home/kubernetes/bin/nvidia
    - name: gib
      hostPath:
        path: /home/kubernetes/bin/gib
{{- end }}
