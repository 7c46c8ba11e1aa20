/**
 * Fields whose values mean more than their schema says: names of objects that must exist, lines that Slurm reads, words
 * that Kubernetes knows. For all others a value is made from the schema alone.
 *
 * @module
 */
import type { JsonValue } from '@slurm-operator/kube'

/** Values of a field: some that work, and some that are allowed all the same; without any, the schema makes them. */
interface Meaning {
  readonly sound: readonly [JsonValue, ...JsonValue[]]
  readonly odd?: readonly [JsonValue, ...JsonValue[]]
}

/** By path; the first that fits counts. */
const meanings: readonly (readonly [path: RegExp, Meaning])[] = [
  // References.
  [/^Token\.secretRef\.name$/, { sound: ['out', 'out-2'], odd: ['keys', 'Not A Name'] }],
  [/^Token\.secretRef\.key$/, { sound: ['K', 'SLURM_JWT'], odd: ['', 'not a key'] }],
  [/\.controllerRef\.name$/, { sound: ['slurm'], odd: ['nobody'] }],
  [/\.accountingRef\.name$/, { sound: ['acct'], odd: ['nobody', ''] }],
  [/\.configFileRefs\[\]\.name$/, { sound: ['files'], odd: ['missing', ''] }],
  [/ScriptRefs\[\]\.name$/, { sound: ['scripts'], odd: ['missing', ''] }],
  [/(KeyRef|sssdConfRef|secretRef)\.name$/, { sound: ['keys', 'more-keys'], odd: ['missing', 'Not A Name'] }],
  [/(KeyRef|sssdConfRef|secretRef)\.key$/, { sound: ['key', 'other'], odd: ['missing', 'not/a/key'] }],
  // Nobody is to be called who answers.
  [
    /^Cluster\.server$/,
    { sound: ['http://127.0.0.1:1'], odd: ['https://127.0.0.1:1/with/path', 'http://[', 'http://x:y'] },
  ],
  [/\.externalConfig\.host$/, { sound: ['ctl.example.com', '10.0.0.7'] }],
  [/\.storageConfig\.(host|database|username)$/, { sound: ['db', 'db2'] }],
  // Files of Slurm.
  [/^Controller\.clusterName$/, { sound: ['one', 'Two_2'] }],
  [
    /^Controller\.extraConf$/,
    {
      sound: ['', 'MinJobAge=5', 'SlurmctldParameters=idle_on_node_suspend'],
      odd: ['no value', 'PartitionName=x Nodes=nobody', 'ClusterName=other', '\u0000', 'Include /etc/passwd'],
    },
  ],
  [/^Accounting\.extraConf$/, { sound: ['', 'PurgeJobAfter=1month'], odd: ['no value', 'DbdPort=1', '\u0000'] }],
  [/^NodeSet\.extraConf$/, { sound: ['', 'Weight=10'], odd: ['nonsense', "Weight='1'", 'NodeName=x', 'a=1\nb=2'] }],
  [
    /^NodeSet\.partition\.config$/,
    { sound: ['State=UP', 'MaxTime=60'], odd: ['x', 'Nodes=other', 'State=UP State=DOWN'] },
  ],
  [/[sS]shdConfig$|AuthorizedKeys$/, { sound: ['', 'MaxAuthTries 2', 'ssh-ed25519 AAAA root'] }],
  // How many: a worker more is a pod more, and a port of a Kube node is there only once for all.
  [/^NodeSet\.replicas$/, { sound: [0, 1, 2], odd: [3] }],
  [/\.replicas$/, { sound: [0, 1, 2] }],
  [/\.ha\.backups$/, { sound: [1, 2] }],
  [/\.service\.port$/, { sound: [0, 7000] }],
  [/\.service\.nodePort$/, { sound: [0] }],
  [/\.revisionHistoryLimit$/, { sound: [0], odd: [1, 3] }],
  [/\.minReadySeconds$/, { sound: [0, 5] }],
  [/\.ordinalPadding$/, { sound: [0, 3] }],
  // Words of Kubernetes.
  [/\.labels\{\}$/, { sound: ['a', 'b'], odd: ['not a label', 'x'.repeat(64)] }],
  [/\.matchLabels\{\}$/, { sound: ['a', 'b'], odd: ['not a label'] }],
  [/\.matchExpressions\[\]\.key$/, { sound: ['disk'], odd: ['not a key'] }],
  [/\.matchExpressions\[\]\.operator$/, { sound: ['Exists', 'DoesNotExist'], odd: ['Perhaps', 'In'] }],
  [/\.accessModes\[\]$/, { sound: ['ReadWriteOnce', 'ReadWriteMany'], odd: ['Sometimes'] }],
  [/\.limits\{\}$/, { sound: ['10Gi', '20Gi'], odd: ['-1', 0] }],
  [/\.requests\{\}$/, { sound: ['1Gi', '2Gi'], odd: ['-1', 0, '1e3'] }],
  [/\.volumeMode$/, { sound: ['Filesystem'], odd: ['Block', 'Tape'] }],
  [/\.dataSource(Ref)?\.apiGroup$/, { sound: [''], odd: ['snapshot.storage.k8s.io'] }],
  [/\.dataSource(Ref)?\.kind$/, { sound: ['PersistentVolumeClaim'], odd: ['VolumeSnapshot'] }],
  [/\.dataSource(Ref)?\.name$/, { sound: ['state'], odd: ['missing'] }],
  [/\.existingClaim$/, { sound: ['state'], odd: ['missing', 'Not A Name'] }],
  [/^LoginSet\.strategy\.type$/, { sound: ['Recreate', 'RollingUpdate'], odd: ['Sometimes'] }],
  [/^LoginSet\.strategy\.rollingUpdate\./, { sound: [1, '50%'], odd: ['some', 0, '0%'] }],
  [/^NodeSet\.updateStrategy\.type$/, { sound: ['RollingUpdate'], odd: ['OnDelete', 'ScheduledUpdate'] }],
  [/\.rollingUpdate\.maxUnavailable$/, { sound: [1, '50%', '100%'] }],
  // Times.
  [/\.scheduledUpdate\.startTime$/, { sound: ['2030-01-01T00:00:00Z'], odd: ['1999-12-31T23:59:59+01:00'] }],
  [/\.scheduledUpdate\.duration$/, { sound: ['1m', '1h30m'], odd: ['0', '1000000h'] }],
  [/\.scheduledUpdate\.flags\[\]$/, { sound: ['DAILY', 'FLEX'], odd: ['NOBODY', ''] }],
  [/^Token\.lifetime$/, { sound: ['1h', '2h'], odd: ['10s', '876000h', '1h0.5s'] }],
  [/\.(interval|scrapeTimeout)$/, { sound: ['30s', '1m', '0'] }],
]

/** What there is to know about a path. */
export function findMeaning(path: string): Meaning | undefined {
  return meanings.find(([pattern]) => pattern.test(path))?.[1]
}
