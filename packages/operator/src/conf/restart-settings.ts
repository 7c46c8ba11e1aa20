/**
 * Which settings of slurm.conf need a new slurmctld pod, and which only a reconfigure.
 *
 * On a reconfigure slurmctld (23.11 and later) starts itself anew with the new file, so nearly everything can change that
 * way: plugins, generic resources and limits were seen to with 26.05. By its documentation ports and authentication
 * cannot; a port was seen to be told as changed and not to be. The others here say where and whose its state is.
 *
 * In the foreground, as in our pods, it starts anew in the same process: a file that it cannot read ends it, and the
 * request has already been answered with success. So files are checked before they are written, and a reconfigure
 * has worked only when slurmctld answers afterwards.
 *
 * @module
 */
import { readLines, readPairs } from './read-lines.ts'

const restartSettings: Readonly<Record<string, string>> = {
  AuthAltParameters: 'authentication is set up once',
  AuthAltTypes: 'authentication is set up once',
  AuthInfo: 'authentication is set up once',
  AuthType: 'authentication is set up once',
  ClusterName: 'the state of slurmctld belongs to one cluster name',
  CredType: 'authentication is set up once',
  SlurmctldHost: 'a slurmctld learns its rank when it starts',
  SlurmctldPort: 'ports are opened once',
  SlurmUser: 'the user of a process is set once',
  StateSaveLocation: 'the state of slurmctld would be left behind',
  TLSParameters: 'authentication is set up once',
  TLSType: 'authentication is set up once',
}

/** A setting that changed and cannot change while slurmctld runs. */
export interface RestartCause {
  readonly key: string
  readonly because: string
}

/** Why slurmctld must be restarted for a new slurm.conf; empty when a reconfigure is enough. */
export function whyRestartNeeded(oldText: string, newText: string): RestartCause[] {
  const [before, after] = [readValues(oldText), readValues(newText)]
  return Object.entries(restartSettings).flatMap(([key, why]) => {
    const [was, is] = [before.get(key.toLowerCase()), after.get(key.toLowerCase())]
    return was === is
      ? []
      : [{ key, because: `${key} changes from ${was ?? 'nothing'} to ${is ?? 'nothing'}, and ${why}` }]
  })
}

/** The value that counts of each of those settings: the last one, but all hosts. */
function readValues(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const { content } of readLines(text)) {
    const [pair] = readPairs(content).pairs
    if (!pair) continue
    const key = pair.key.toLowerCase()
    const before = key === 'slurmctldhost' ? values.get(key) : undefined
    values.set(key, before === undefined ? pair.value : `${before},${pair.value}`)
  }
  return values
}
