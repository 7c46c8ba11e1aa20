import type { Clock } from '../transport/clock.ts'
import { createChangingFile, type ChangingFile } from './changing-file.ts'
import { createExecLogin, type ExecLogin } from './exec-login.ts'
import { impersonationHeaders } from './impersonation.ts'
import { runPlugin, type RunPlugin } from './run-plugin.ts'
import type { ConnectionSettings, Pem } from './settings.ts'
import { isPair } from './tls-pair.ts'

/** What a connection is made with. The same object as long as nothing has changed. */
export interface TlsMaterial {
  readonly authority: string | undefined
  readonly certificate: string | undefined
  readonly key: string | undefined
}

/** What a request is sent with. */
export interface Access {
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly tls: TlsMaterial
}

/** Who we are, at this moment. */
export interface Credentials {
  readonly current: () => Promise<Access>
  /** The server refused these: look at everything again, but not all the time. True if there is something new to try. */
  readonly renew: (refused: Access) => Promise<boolean>
}

const BETWEEN_LOOKS_MS = 10_000 // a plugin may take seconds, and a user who is locked out stays so for hours

/** Keep the credentials of some settings up to date. */
export function createCredentials(settings: ConnectionSettings, clock: Clock, run: RunPlugin = runPlugin): Credentials {
  const files = createFiles(clock)
  const exec = settings.login.kind === 'exec' ? createExecLogin(settings.login.plugin, clock, run) : undefined
  let lastTls: TlsMaterial | undefined
  let lookAgainMs = Number.NEGATIVE_INFINITY

  const current = async (): Promise<Access> => {
    const tls = await readTls(settings, files, exec)
    lastTls = sameTls(lastTls, tls) ?? tls
    const headers = { ...(await authorization(settings, files, exec)), ...impersonationHeaders(settings.impersonate) }
    return { headers, tls: lastTls }
  }
  return {
    current,
    async renew(refused) {
      if (isOther(await current(), refused)) return true // somebody else was refused as well, and has looked already
      if (clock.monotonic() >= lookAgainMs) {
        lookAgainMs = clock.monotonic() + BETWEEN_LOOKS_MS
        files.forget()
        exec?.forget()
      }
      return isOther(await current(), refused) // perhaps somebody else's look is under way
    },
  }
}

function isOther(one: Access, other: Access): boolean {
  return one.tls !== other.tls || one.headers['authorization'] !== other.headers['authorization']
}

interface Files {
  readonly read: (path: string) => Promise<string>
  readonly forget: () => void
}

function createFiles(clock: Clock): Files {
  const files = new Map<string, ChangingFile>()
  return {
    async read(path) {
      const file = files.get(path) ?? createChangingFile(path, clock)
      files.set(path, file)
      return file.read()
    },
    forget: () => files.forEach((file) => file.forget()),
  }
}

async function authorization(
  { login }: ConnectionSettings,
  files: Files,
  exec: ExecLogin | undefined,
): Promise<Record<string, string>> {
  switch (login.kind) {
    case 'none':
      return {}
    case 'token':
      return { authorization: `Bearer ${login.token.reveal()}` }
    case 'token-file':
      return { authorization: `Bearer ${(await files.read(login.path)).trim()}` }
    case 'password': {
      const pair = `${login.username}:${login.password.reveal()}`
      return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
    }
    case 'exec': {
      const token = (await exec?.current())?.token
      return token === undefined ? {} : { authorization: `Bearer ${token.reveal()}` }
    }
  }
}

async function readTls(
  { authority, clientCertificate }: ConnectionSettings,
  files: Files,
  exec: ExecLogin | undefined,
): Promise<TlsMaterial> {
  const read = async (pem: Pem | undefined) =>
    pem === undefined ? undefined : pem.kind === 'data' ? pem.pem.reveal() : files.read(pem.path)
  const fromPlugin = (await exec?.current())?.clientCertificate
  return {
    authority: await read(authority),
    certificate: fromPlugin?.certificate ?? (await read(clientCertificate?.certificate)),
    key: fromPlugin?.key.reveal() ?? (await read(clientCertificate?.key)),
  }
}

/** The last material if nothing has changed, or if a certificate was read before its key was replaced as well. */
function sameTls(last: TlsMaterial | undefined, now: TlsMaterial): TlsMaterial | undefined {
  if (last === undefined) return undefined
  const unchanged = last.authority === now.authority && last.certificate === now.certificate && last.key === now.key
  return unchanged || !isPair(now.certificate, now.key) ? last : undefined
}
