import { describe, expect, test } from 'vitest'
import { adviceFor } from './advice.ts'

const CACHE = '/home/me/.cache/slurm-operator'

describe('advice prevents that', () => {
  const riddles = [
    {
      name: 'a full disk looks like a broken compiler',
      text: 'go: write /x: no space left on device',
      says: /disk is full.*XDG_CACHE_HOME/,
    },
    {
      name: 'a full disk looks like a broken project',
      text: 'ENOSPC: no space left on device, write',
      says: /disk is full/,
    },
    {
      name: 'nobody knows which folder cannot be written',
      text: `EACCES: permission denied, mkdir '${CACHE}/runs'`,
      says: /The cache is \/home\/me/,
    },
    {
      name: 'a port that was snatched away looks like a fault of ours',
      text: 'listen EADDRINUSE: address already in use 127.0.0.1:40001',
      says: /try again/,
    },
    {
      name: 'a low limit looks like a broken kubelet',
      text: 'inotify_init: too many open files',
      says: /ulimit -n 65536/,
    },
  ]
  test.for(riddles)('$name', ({ text, says }) => expect(adviceFor(`Cannot run: ${text}`, CACHE)).toMatch(says))

  test('somebody is led astray by advice about something else', () => {
    expect(adviceFor('Cannot start nodes on this machine: you are user 1000', CACHE)).toBeUndefined()
    expect(adviceFor('Cannot run `su`: permission denied', CACHE)).toBeUndefined()
  })
})
