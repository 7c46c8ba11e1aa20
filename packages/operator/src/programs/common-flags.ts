import { listFlag, switchFlag, textFlag, zapFlags } from '@slurm-operator/runtime'

/** Flags that both programs have, with the same meaning. */
export const commonFlags = {
  'health-addr': textFlag({ default: ':8081', help: 'Where probes are answered' }),
  'metrics-secure': switchFlag({ help: 'Metrics over HTTPS, for those whom the API server knows and allows' }),
  'enable-http2': switchFlag({ help: 'Accepted for old manifests; servers speak HTTP/1.1 in any case' }),
  namespaces: listFlag({ help: 'Only look after these namespaces, separated by commas; default: all' }),
  kubeconfig: textFlag({ default: '', help: 'How to reach the API server, when not from a pod' }),
  ...zapFlags,
}
