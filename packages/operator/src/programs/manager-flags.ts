import { admissionFlags } from './admission-flags.ts'
import { integerFlag, listFlag, switchFlag, textFlag, zapFlags } from '@slurm-operator/runtime'

const workers = (what: string) => integerFlag({ default: 1, min: 1, help: `Passes over ${what} at the same time` })

/** Flags that both programs have. */
export const commonFlags = {
  'health-addr': textFlag({ default: ':8081', help: 'Where probes are answered' }),
  'metrics-secure': switchFlag({ help: 'Metrics over HTTPS, for those whom the API server knows and allows' }),
  'enable-http2': switchFlag({ help: 'Accepted for old manifests; servers speak HTTP/1.1 in any case' }),
  'leader-elect': switchFlag({ help: 'Only one of several replicas works at a time' }),
  'leader-elect-namespace': textFlag({ default: '', help: 'Namespace of the Lease; default: our own' }),
  namespaces: listFlag({ help: 'Only look after these namespaces, separated by commas; default: all' }),
  kubeconfig: textFlag({ default: '', help: 'How to reach the API server, when not from a pod' }),
  ...zapFlags,
}

/** The flags of the manager, by the names that people have in their manifests. */
export const managerFlags = {
  ...commonFlags,
  ...admissionFlags,
  webhook: switchFlag({ help: 'Serve the admission webhooks from this process too: one Deployment is enough' }),
  'metrics-addr': textFlag({ default: ':8080', help: 'Where metrics are served; 0: nowhere' }),
  'propagated-node-conditions': listFlag({
    help: 'Conditions of Kube nodes that become drain reasons in Slurm, separated by commas',
  }),
  profile: switchFlag({ help: 'Serve profiles of the program' }),
  'profile-addr': textFlag({ default: 'localhost:6060', help: 'Where profiles are served' }),
  'accounting-workers': workers('Accountings'),
  'controller-workers': workers('Controllers'),
  'loginset-workers': workers('LoginSets'),
  'nodeset-workers': workers('NodeSets'),
  'restapi-workers': workers('RestApis'),
  'token-workers': workers('Tokens'),
  'slurmclient-workers': workers('connections to Slurm'),
}
