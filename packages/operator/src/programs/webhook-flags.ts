import { switchFlag, textFlag } from '@slurm-operator/runtime'
import { admissionFlags } from './admission-flags.ts'
import { commonFlags } from './common-flags.ts'

/** The flags of the webhook, by the names that people have in their manifests. */
export const webhookFlags = {
  ...commonFlags,
  ...admissionFlags,
  'leader-elect': switchFlag({ help: 'Accepted for old manifests; every replica serves in any case' }),
  'leader-elect-namespace': textFlag({ default: '', help: 'Accepted for old manifests' }),
  'metrics-addr': textFlag({ default: '0', help: 'Where metrics are served; 0: nowhere' }),
}
