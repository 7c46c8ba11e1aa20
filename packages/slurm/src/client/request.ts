import type { SlurmIdentity } from '../model/cluster.ts'
import type { ApiVersion } from '../model/api-version.ts'
import type { Records } from '../model/records.ts'
import type { RecordMemory } from './record-memory.ts'
import type { Failure } from './why-failed.ts'

/** One question or order to slurmrestd, the same for every REST version. */
export interface SlurmRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Which of slurmrestd's plugins answers it; slurmctld's unless said. */
  readonly plugin?: 'slurm' | 'slurmdb'
  /** The path behind the version, encoded: `/node/gpu-3`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** The first REST version that has it. */
  readonly needs?: ApiVersion
  /** For the whole call, retries included. */
  readonly timeoutMs?: number
  /** Slurm's numbers that mean "it does not exist" for this request. */
  readonly notFoundNumbers?: readonly number[]
  /** Act for this user; needs an administrator's token. */
  readonly onBehalfOf?: string
  /** Failures that only this kind of answer can hold, such as a refused token in a ping. */
  readonly whyFailed?: (body: unknown) => Failure | undefined
}

/** How to read the records of an answer while they arrive. */
export interface RecordReader<T> {
  /** The key of the list: `nodes`. */
  readonly key: string
  readonly read: (body: unknown, version: ApiVersion) => Records<T>
  /** For lists that come again and again. */
  readonly memory?: RecordMemory<T>
}

/** A good answer. */
export interface Reply<T = never> {
  readonly status: number
  readonly version: ApiVersion
  readonly identity: SlurmIdentity | undefined
  /** The JSON object of the answer, without the records that were read apart. */
  readonly body: unknown
  /** True for 304: nothing has changed since the time we named. */
  readonly unchanged: boolean
  readonly list: Records<T>
}

/** Whoever carries requests to Slurm: one slurmrestd, or several of the same Slurm cluster. */
export interface Caller {
  call<T = never>(request: SlurmRequest, reader?: RecordReader<T>): Promise<Reply<T>>
}

/** How a request is called in errors: method and path, no version, no query, nothing secret. */
export function requestName({ method, plugin, path }: SlurmRequest): string {
  return `${method} ${plugin === 'slurmdb' ? '/slurmdb' : ''}${path}`
}
