import type { OpenApiDocument, Operation } from './openapi.ts'

/** The calls our client makes. What no call reaches gets no type. A version without a call is simply without it. */
const usedOperations: readonly string[] = [
  'get /slurm/{version}/ping/',
  'get /slurm/{version}/nodes/',
  'post /slurm/{version}/nodes/',
  'get /slurm/{version}/node/{node_name}',
  'post /slurm/{version}/node/{node_name}',
  'delete /slurm/{version}/node/{node_name}',
  'post /slurm/{version}/new/node/',
  'get /slurm/{version}/jobs/',
  'get /slurm/{version}/jobs/state/',
  'get /slurm/{version}/job/{job_id}',
  'post /slurm/{version}/job/{job_id}',
  'delete /slurm/{version}/job/{job_id}',
  'post /slurm/{version}/job/submit',
  'get /slurm/{version}/partitions/',
  'get /slurm/{version}/reservations/',
  'post /slurm/{version}/reservations/',
  'get /slurm/{version}/reservation/{reservation_name}',
  'post /slurm/{version}/reservation',
  'delete /slurm/{version}/reservation/{reservation_name}',
  'get /slurm/{version}/reconfigure/',
  'get /slurm/{version}/diag/',
  'get /slurm/{version}/conf',
  'get /slurmdb/{version}/ping/',
  'get /slurmdb/{version}/clusters/',
]

/** Large parts that we pass on or leave out as a whole, and therefore do not describe. */
export const opaqueSchemas: ReadonlySet<string> = new Set([
  'acct_gather_energy',
  'bf_exit_fields',
  'cron_entry',
  'job_res',
  'schedule_exit_fields',
  'slurm_conf',
  'stats_msg_rpcs_by_type',
  'stats_msg_rpcs_by_user',
  'stats_msg_rpcs_dump',
  'stats_msg_rpcs_queue',
])

/** Those of the calls that this document describes in this version. */
export function operationsOf(document: OpenApiDocument, version: string): Operation[] {
  return usedOperations.flatMap((call) => {
    const [method = '', path = ''] = call.replace('{version}', version).split(' ')
    const operation = document.paths[path]?.[method]
    return operation === undefined ? [] : [operation]
  })
}
