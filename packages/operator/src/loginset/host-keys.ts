import { generateKeyPair, randomInt, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { hostKeyFile, type HostKeyType } from '../workload/ssh-volumes.ts'
import { writeOpenSshKey } from './openssh-key.ts'

/** The six files of an SSH server's identity. */
export type HostKeyFiles = Readonly<Record<string, string>>

const generate = promisify(generateKeyPair)

const RSA_BITS = 4096

const generators: Readonly<Record<HostKeyType, () => Promise<{ readonly privateKey: KeyObject }>>> = {
  rsa: () => generate('rsa', { modulusLength: RSA_BITS }),
  ed25519: () => generate('ed25519'),
  ecdsa: () => generate('ec', { namedCurve: 'P-256' }),
}

/** Make new keys. It takes seconds of a core, on threads of their own: once in the life of a LoginSet. */
export async function generateHostKeys(): Promise<HostKeyFiles> {
  const pairs = await Promise.all(
    Object.entries(generators).map(async ([type, make]) => {
      const { privateFile, publicFile } = writeOpenSshKey((await make()).privateKey, randomInt(2 ** 32))
      const file = hostKeyFile(type as HostKeyType)
      return [
        [file, privateFile],
        [`${file}.pub`, publicFile],
      ] as const
    }),
  )
  return Object.fromEntries(pairs.flat())
}
