import { Session } from 'node:inspector/promises'
import { sleep, type Clock } from '@slurm-operator/kube'

/** How long to look, and when to stop looking all the same. */
export interface ProfileSpan {
  readonly seconds: number
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** A CPU profile of the next seconds, for Chrome's developer tools and others that read `.cpuprofile`. */
export async function profileCpu(span: ProfileSpan): Promise<string> {
  using session = connectedSession()
  await session.post('Profiler.enable')
  await session.post('Profiler.start')
  await sleep(span.clock, span.seconds * 1000, span.signal)
  const { profile } = await session.post('Profiler.stop')
  return JSON.stringify(profile)
}

/** What was allocated in the next seconds and is still there, as samples: `.heapprofile`. */
export async function profileAllocations(span: ProfileSpan): Promise<string> {
  using session = connectedSession()
  await session.post('HeapProfiler.enable')
  await session.post('HeapProfiler.startSampling', {})
  await sleep(span.clock, span.seconds * 1000, span.signal)
  const { profile } = await session.post('HeapProfiler.stopSampling')
  return JSON.stringify(profile)
}

/** Disconnecting also ends whatever was begun and not stopped. */
function connectedSession(): Session & Disposable {
  const session = new Session()
  session.connect()
  return Object.assign(session, { [Symbol.dispose]: () => session.disconnect() })
}
