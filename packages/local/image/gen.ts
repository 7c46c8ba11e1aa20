/**
 * Test data of this room: a stage on which the entry point runs without root, container or Slurm.
 *
 * Every program it may start is a small script that writes down its arguments and then does what the test says.
 *
 * @module
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** Two sockets' worth of a small machine, as `slurmd -C` tells it. */
export const FACTS =
  'NodeName=n CPUs=16 Boards=1 SocketsPerBoard=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=32000\nUpTime=0-01:00:00'

/** How a program is made to run as slurm. */
export const AS_SLURM: readonly string[] = ['setpriv', '--reuid=slurm', '--regid=slurm', '--init-groups']

const programs = ['slurmctld', 'slurmd', 'slurmdbd', 'slurmrestd', 'sackd', 'sshd', 'ssh-keygen', 'mariadbd', 'chown']

/** Writes down name, pid and arguments, then does what FAKE_<name> says. */
const recorder = `#!/bin/bash
name=\${0##*/}
line=$(printf '%s\\037' "$name" "$$" "$@")
printf '%s\\036' "$line" >> "$RECORD"
if [ "$name $1" = 'slurmd -C' ]; then printf '%s\\n' "$FACTS"; exit 0; fi
todo=FAKE_\${name//-/_}
eval "\${!todo}"
`
const setpriv = `#!/bin/bash
while [[ $1 == --* ]]; do as+=("$1"); shift; done
line=$(printf '%s\\037' setpriv "$$" "\${as[@]}")
printf '%s\\036' "$line" >> "$RECORD"
export FAKE_UID=401
exec "$@"
`
const id = '#!/bin/sh\necho "$FAKE_UID"\n'

/** One call of a fake program. */
export interface Call {
  readonly pid: number
  readonly argv: readonly string[]
}

/** How a run of the entry point ended. */
export interface Outcome {
  readonly code: number | null
  readonly stderr: string
  readonly calls: readonly (readonly string[])[]
}

/** A place with fake programs and its own root folder. */
export class Stage {
  readonly root = mkdtempSync(join(tmpdir(), 'entrypoint-'))
  readonly #record = join(this.root, 'record')

  constructor() {
    onTestFinished(() => rmSync(this.root, { recursive: true, force: true }))
    for (const name of programs) this.addProgram(name)
    this.write('bin/setpriv', setpriv, 0o755)
    this.write('bin/id', id, 0o755)
    this.write('proc/self/mounts', 'overlay / overlay rw 0 0\n')
    this.write(
      'etc/pam.d/sshd',
      '# rules\n@include common-auth\naccount required pam_nologin.so\n@include common-account\n',
    )
  }

  addProgram(name: string): void {
    this.write(`bin/${name}`, recorder, 0o755)
  }

  write(path: string, content: string, mode = 0o644): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true })
    writeFileSync(join(this.root, path), content)
    chmodSync(join(this.root, path), mode)
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), 'utf8')
  }

  /** Start the entry point in a process group of its own, as in a container. */
  start(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
    const { root } = this
    const given = { ENTRYPOINT_ROOT: root, RECORD: this.#record, TMPDIR: root, FACTS, FAKE_UID: '0', ...env }
    const child = spawn(join(import.meta.dirname, 'entrypoint.sh'), args, {
      env: { PATH: `${root}/bin:/usr/bin:/bin`, ...given },
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    })
    onTestFinished(() => endGroup(child))
    return child
  }

  async run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
    return this.outcomeOf(this.start(args, env))
  }

  /** Wait for the end of everything that was started. */
  async outcomeOf(child: ChildProcess): Promise<Outcome> {
    if (!child.stderr) throw new Error('Cannot read the outcome: stderr is not a pipe. Start it with start().')
    const [stderr] = await Promise.all([text(child.stderr), once(child, 'close')])
    return { code: child.exitCode, stderr, calls: this.calls().map(({ argv }) => argv) }
  }

  calls(): Call[] {
    if (!existsSync(this.#record)) return []
    const lines = readFileSync(this.#record, 'utf8').split('\x1e').slice(0, -1)
    return lines.map((line) => {
      const [name = '', pid, ...args] = line.split('\x1f').slice(0, -1)
      return { pid: Number(pid), argv: [name, ...args.map((arg) => arg.replaceAll(this.root, ''))] }
    })
  }
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ESRCH')) throw cause // ESRCH: all gone already
  }
}
