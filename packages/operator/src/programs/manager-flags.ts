import { integerFlag, listFlag, switchFlag, textFlag } from '@slurm-operator/runtime'
import { admissionFlags } from './admission-flags.ts'
import { commonFlags } from './common-flags.ts'

const workers = (what: string) => integerFlag({ default: 1, min: 1, help: `Passes over ${what} at the same time` })

/** The flags of the manager, by the names that people have in their manifests. */
export const managerFlags = {
  ...commonFlags,
  ...admissionFlags,
  'leader-elect': switchFlag({ help: 'Only one of several replicas works at a time' }),
  'leader-elect-namespace': textFlag({ default: '', help: 'Namespace of the Lease; default: our own' }),
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
