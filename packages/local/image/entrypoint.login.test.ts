import { existsSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { AS_SLURM, type Call, Stage } from './gen.ts'

const STAYS = { FAKE_sackd: 'exec sleep 60', FAKE_sshd: 'exec sleep 60' }

/** Start login and wait until both of its programs run. */
async function startLogin(env: Readonly<Record<string, string>> = {}, args: readonly string[] = []) {
  const stage = new Stage()
  const child = stage.start(['login', ...args], { ...STAYS, ...env })
  const outcome = stage.outcomeOf(child)
  const daemons = await vi.waitFor(
    () => {
      const found = stage.calls().filter(({ argv: [name] }) => name === 'sackd' || name === 'sshd')
      expect(found).toHaveLength(2)
      return found
    },
    { timeout: 5000, interval: 10 },
  )
  return { child, outcome, daemons }
}

function isAlive({ pid }: Call): boolean {
  return existsSync(`/proc/${pid}`)
}

describe('login', () => {
  test('arguments are ignored, or reach sshd', async () => {
    const { outcome, child } = await startLogin({ SACKD_OPTIONS: '--conf-server c:6817', SSHD_OPTIONS: '-p 2222' }, [
      '-v',
      `'a b'`,
    ])
    child.kill('SIGTERM')
    const { calls } = await outcome
    expect(calls).toContainEqual(['sackd', '-D', '--conf-server', 'c:6817', '-v', 'a b'])
    expect(calls).toContainEqual(['sshd', '-D', '-e', '-p', '2222'])
    expect(calls).toContainEqual(AS_SLURM)
    expect(calls).toContainEqual(['ssh-keygen', '-A'])
  })

  const deaths = [
    { dies: 'sackd', env: { FAKE_sackd: 'sleep 0.3; exit 3' }, code: 3 },
    { dies: 'sshd', env: { FAKE_sshd: 'sleep 0.3; exit 255' }, code: 255 },
    { dies: 'sshd', env: { FAKE_sshd: 'sleep 0.3; exit 0' }, code: 1 },
    { dies: 'sackd', env: { FAKE_sackd: 'sleep 0.3; kill -KILL $$' }, code: 137 },
  ]
  for (const { dies, env, code } of deaths) {
    test(`${dies} is gone, and Kubernetes does not learn of it (${Object.values(env).join()})`, async () => {
      const { outcome, daemons } = await startLogin(env)
      const { code: ended, stderr } = await outcome
      expect({ ended, alive: daemons.filter(isAlive) }).toEqual({ ended: code, alive: [] })
      expect(stderr).toContain(`entrypoint: ${dies} ended with code `)
    })
  }

  test('TERM leaves one of the two running, or counts as a failure', async () => {
    const { child, outcome, daemons } = await startLogin()
    child.kill('SIGTERM')
    expect((await outcome).code).toBe(0)
    expect(daemons.filter(isAlive)).toEqual([])
  })

  test('TERM to the whole group, as tini -g sends it, counts as a failure', async () => {
    const { child, outcome, daemons } = await startLogin()
    process.kill(-(child.pid ?? 0), 'SIGTERM')
    expect((await outcome).code).toBe(0)
    expect(daemons.filter(isAlive)).toEqual([])
  })

  test('a daemon that does not listen to TERM keeps half a container alive', async () => {
    const deaf = `trap '' TERM; while :; do sleep 0.1; done`
    const { outcome, daemons } = await startLogin({
      FAKE_sackd: deaf,
      FAKE_sshd: 'sleep 0.3; exit 1',
      ENTRYPOINT_GRACE_SECONDS: '1',
    })
    expect((await outcome).code).toBe(1)
    expect(daemons.filter(isAlive)).toEqual([])
  })

  test('an image without sssd refuses to start where one is configured', async () => {
    const stage = new Stage()
    stage.write('etc/sssd/sssd.conf', '')
    const { stderr } = await stage.run(['login'], { FAKE_sackd: 'exec sleep 60', FAKE_sshd: 'sleep 0.3' })
    expect(stderr).toContain('this image has no sssd: only users of /etc/passwd can log in')
  })
})
