import { listFlag, textFlag } from '@slurm-operator/runtime'

/** Flags of the admission server, in whichever program it runs. */
export const admissionFlags = {
  'server-addr': textFlag({ default: ':9443', help: 'Where the API server asks us: host:port' }),
  'cert-secret': textFlag({
    default: '',
    help: 'Make our own certificates and keep them in this Secret: namespace/name; default: read files that somebody else writes',
  }),
  'cert-service': textFlag({ default: '', help: 'The Service that our own certificates are for: service.namespace' }),
  'webhook-configurations': listFlag({
    help: 'Webhook configurations that must trust our own certificates, separated by commas: a name for both kinds, or validating/name, mutating/name',
  }),
}
