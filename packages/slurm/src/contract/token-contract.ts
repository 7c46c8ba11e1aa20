import { describe, expect, test } from 'vitest'
import type { TokenSettings } from '../registry/settings.ts'
import { Secret } from '../tokens/secret.ts'
import { buildBench } from './bench.ts'
import type { GetSlurm } from './slurm-under-test.ts'

/** Tokens and the key that they are signed with. The last test changes the key: let nothing run after it that minds. */
export function tokenContract(get: GetSlurm): void {
  const { known, soon, signing } = buildBench(get)
  const given = (seconds: number): TokenSettings => ({
    kind: 'given',
    token: new Secret(get().token('slurm', seconds)),
  })

  describe('tokens', () => {
    test('are renewed before they end', async () => {
      const short = get().open(signing({ lifetimeSeconds: 2 }))
      for (let tries = 0; tries < 50; tries++) {
        await get().wait(short.client.ping())
        await get().pass(100)
      }
      expect(short.health().state).toBe('reachable')
      await short.close()
    })

    test('that have ended are replaced by the next one given', async () => {
      const other = get().open(given(2))
      await soon('known with a given token', () => other.view.node('worker-1').kind === 'seen')
      other.view.hurry('nodes', 60_000)
      await soon('refused after its end', () => other.health().state === 'refused')
      expect(other.view.node('worker-1').kind).toBe('unknown')
      other.useTokens(given(60))
      await soon('known with the next token', () => other.view.node('worker-1').kind === 'seen')
      await other.close()
    })

    test('of an ordinary user may not drain', async () => {
      const alice = get().open(signing({ username: 'alice' }))
      await expect(get().wait(alice.client.updateNode('worker-1', { state: 'DRAIN' }))).rejects.toMatchObject({
        failure: 'refused',
        errorNumber: 2010,
      })
      await alice.close()
    })

    test('are signed with a new key when the key changes', async () => {
      const { connection } = get()
      connection.view.hurry('nodes', 60_000)
      await get().changeSigningKey('another key that is long enough, and text')
      await soon('refused with the old key', () => connection.health().state === 'refused')
      await soon('unknown with the old key', () => known('worker-1').kind === 'unknown') // another list was refused first
      connection.useTokens(signing())
      await soon('known with the new key', () => known('worker-1').kind === 'seen')
    })
  })
}
