/**
 * Configuration files of a node's programs, as texts. JSON stands where YAML is read: it is a part of it.
 *
 * @module
 */
import { CLUSTER_DOMAIN, DNS_SERVICE_ADDRESS, POD_RANGE, podRange } from './layout.ts'
import { PAUSE_IMAGE } from './images.ts'

/** containerd with what the kubelet needs and nothing of what this kernel lacks. */
export function containerdConfig(): string {
  return `version = 3
disabled_plugins = ["io.containerd.nri.v1.nri", "io.containerd.tracing.processor.v1.otlp", "io.containerd.internal.v1.tracing"]
[plugins."io.containerd.cri.v1.runtime"]
  restrict_oom_score_adj = true # we may not be allowed to lower it
  disable_apparmor = true
  enable_selinux = false
  [plugins."io.containerd.cri.v1.runtime".cni]
    bin_dirs = ["/usr/lib/cni"]
    conf_dir = "/etc/cni/net.d"
  [plugins."io.containerd.cri.v1.runtime".containerd]
    default_runtime_name = "runc"
    [plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
      [plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options]
        SystemdCgroup = false
[plugins."io.containerd.cri.v1.images"]
  snapshotter = "overlayfs"
  [plugins."io.containerd.cri.v1.images".pinned_images]
    sandbox = "${PAUSE_IMAGE}"
`
}

/** A bridge on each node; other nodes' pods are reached by the static routes of the box. */
export function cniConfig(node: string): string {
  const ipam = { type: 'host-local', ranges: [[{ subnet: podRange(node) }]], routes: [{ dst: '0.0.0.0/0' }] }
  const bridge = { type: 'bridge', bridge: 'cni0', isGateway: true, ipMasq: false, hairpinMode: true, ipam }
  const portmap = { type: 'portmap', capabilities: { portMappings: true } }
  return JSON.stringify({ cniVersion: '1.0.0', name: 'local', plugins: [bridge, portmap] })
}

/** What a node reserves for itself; everything else is offered to pods. */
export type Reserved = Readonly<Record<string, string>>

/** The kubelet: quick to notice and to report, since tests wait for it. */
export function kubeletConfig(reserved: Reserved = {}): string {
  return JSON.stringify({
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
    cgroupDriver: 'cgroupfs',
    failCgroupV1: false,
    failSwapOn: false,
    oomScoreAdj: 0,
    enforceNodeAllocatable: ['pods'],
    systemReserved: reserved,
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: '/k8s/keys/ca.crt' },
    },
    authorization: { mode: 'Webhook' },
    tlsCertFile: '/k8s/keys/kubelet.crt',
    tlsPrivateKeyFile: '/k8s/keys/kubelet.key',
    clusterDNS: [DNS_SERVICE_ADDRESS],
    clusterDomain: CLUSTER_DOMAIN,
    resolvConf: '/etc/resolv.conf',
    evictionHard: {
      'memory.available': '100Mi',
      'nodefs.available': '1%',
      'nodefs.inodesFree': '1%',
      'imagefs.available': '1%',
    },
    imageGCHighThresholdPercent: 100, // images cannot be pulled again
    imageGCLowThresholdPercent: 99,
    syncFrequency: '10s',
    nodeStatusUpdateFrequency: '2s',
    nodeLeaseDurationSeconds: 8,
    serializeImagePulls: false,
    registryPullQPS: 0,
    eventRecordQPS: 0,
  })
}

/** Services by nftables; the kernel's own connection limits stay as they are. */
export function proxyConfig(): string {
  return JSON.stringify({
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    mode: 'nftables',
    clusterCIDR: POD_RANGE,
    clientConnection: { kubeconfig: '/k8s/keys/kube-proxy.conf' },
    conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
    nftables: { syncPeriod: '30s', minSyncPeriod: '100ms' },
    linux: { oomScoreAdj: 0 },
    oomScoreAdj: 0,
  })
}

/** Cluster DNS. The zone "." makes every foreign name a clear "no" instead of a failure that resolvers try again. */
export function corefile(): string {
  return `.:53 {
    errors
    ready 127.0.0.1:8181
    kubernetes ${CLUSTER_DOMAIN} in-addr.arpa . {
        kubeconfig /k8s/keys/coredns.conf
        pods insecure
        ttl 5
    }
    loadbalance
}
`
}
