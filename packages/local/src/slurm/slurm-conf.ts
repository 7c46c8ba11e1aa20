/**
 * The configuration of a local Slurm, as text. Each line that surprises has cost an hour once; the reason is beside it.
 *
 * @module
 */
import { speaksHttp, type SlurmRoot } from './slurm-root.ts'

/** What the texts depend on. */
export interface ConfSettings {
  readonly root: Pick<SlurmRoot, 'release'>
  readonly accounting: boolean
  /** Lines for the end of slurm.conf. Where Slurm takes the last value of a name, they win over ours. */
  readonly extraConfig: string
}

// No secret: only boxes of the same run can reach the database.
const DATABASE_PASSWORD = 'local'
const signingKey = 'AuthAltParameters=jwt_key=/etc/slurm/jwt_hs256.key'

/** slurm.conf for dynamic nodes without a configuration of their own. */
export function slurmConf({ root, accounting, extraConfig }: ConfSettings): string {
  return lines(
    'ClusterName=local',
    'SlurmctldHost=ctl',
    'SlurmUser=slurm',
    'AuthType=auth/slurm',
    'CredType=auth/slurm', // without it munge is tried when a job starts
    'AuthInfo=use_client_ids', // users need not exist on workers
    'AuthAltTypes=auth/jwt',
    signingKey,
    'SlurmctldParameters=enable_configless',
    'StateSaveLocation=/var/lib/slurm/slurmctld',
    'SlurmdSpoolDir=/var/lib/slurm/slurmd',
    'MaxNodeCount=1024', // without it dynamic nodes are refused
    'ProctrackType=proctrack/linuxproc', // the default wants control groups, which these boxes do not have
    'TaskPlugin=task/none',
    'SelectType=select/cons_tres',
    'SelectTypeParameters=CR_Core_Memory',
    'ReturnToService=2', // a worker that was away is used again as soon as it registers
    'SlurmdTimeout=10', // so that a test sees a dead worker within half a minute
    'MailProg=/bin/true',
    'JobAcctGatherType=jobacct_gather/linux',
    ...(accounting ? ['AccountingStorageType=accounting_storage/slurmdbd', 'AccountingStorageHost=dbd'] : []),
    ...(speaksHttp(root) ? ['MetricsType=metrics/openmetrics'] : []),
    'PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP',
    ...(extraConfig === '' ? [] : [extraConfig.trimEnd()]),
  )
}

/** cgroup.conf; workers get it from slurmctld. */
export function cgroupConf(): string {
  return lines('CgroupPlugin=disabled')
}

/** slurmdbd.conf. It must be readable for its owner and group only, or slurmdbd refuses it. */
export function slurmdbdConf(): string {
  return lines(
    'AuthType=auth/slurm',
    'AuthAltTypes=auth/jwt',
    signingKey,
    'DbdHost=dbd',
    'SlurmUser=slurm',
    'StorageType=accounting_storage/mysql',
    'StorageHost=db',
    'StorageUser=slurm',
    `StoragePass=${DATABASE_PASSWORD}`,
    'StorageLoc=slurm_acct_db',
  )
}

/** What MariaDB executes at each start, before it lets anybody in. */
export function databaseStatements(): string {
  return lines(
    'CREATE DATABASE IF NOT EXISTS slurm_acct_db;',
    `CREATE USER IF NOT EXISTS 'slurm'@'%' IDENTIFIED BY '${DATABASE_PASSWORD}';`,
    "GRANT ALL ON slurm_acct_db.* TO 'slurm'@'%';",
  )
}

function lines(...all: readonly string[]): string {
  return `${all.join('\n')}\n`
}
