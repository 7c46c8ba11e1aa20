/**
 * What we know of one Slurm cluster, shared by everybody who asks: one poller for nodes and one for jobs.
 *
 * @module
 */
import { steadyClock, systemClock, systemRandom, type Clock, type Random } from '../client/clock.ts'
import type { SlurmClient } from '../client/slurm-client.ts'
import { seen, unknown, type Knowledge } from '../knowledge.ts'
import type { SlurmJob } from '../model/job.ts'
import type { SlurmNode } from '../model/node.ts'
import { glimpsePace, Glimpses, type GlimpsePace } from './glimpses.ts'
import { isJobInMotion, jobKind } from './job-kind.ts'
import { jobsByNode, type JobIndex } from './jobs-by-node.ts'
import { Listeners } from './listeners.ts'
import { isNodeInMotion, nodeKind } from './node-kind.ts'
import { pollPace } from './poll-plan.ts'
import { trustPace } from './sightings.ts'
import { SlurmTime, timePace, type TimePace } from './slurm-time.ts'
import type { Trust } from './trust.ts'
import { WatchedList, type ListNews, type ViewPace } from './watched-list.ts'

/** Something is different from before. `old` and `now` are equal when a list has merely confirmed a write of ours. */
export type ViewChange =
  | {
      readonly kind: 'node'
      readonly name: string
      readonly old: SlurmNode | undefined
      readonly now: SlurmNode | undefined
    }
  | {
      readonly kind: 'job'
      readonly id: number
      readonly old: SlurmJob | undefined
      readonly now: SlurmJob | undefined
    }
  /** We began to know, or ceased to. */
  | ({ readonly kind: 'trust'; readonly of: 'nodes' | 'jobs' } & Trust)

/** What loops may ask. Every read is local and immediate, and its times are of the machine's time of day by now. */
export interface SlurmReader {
  node(name: string): Knowledge<SlurmNode>
  /** All nodes. One that we cannot read is not among them; ask for it by name to learn that. */
  nodes(): Knowledge<readonly SlurmNode[]>
  /**
   * How long ago the newest whole list of nodes was asked for. Later ones may have said that nothing has changed, which is not
   * true for some seconds after somebody has set Slurm's clock back.
   */
  wholeListAgeMs(): number
  job(id: number): Knowledge<SlurmJob>
  jobs(): Knowledge<readonly SlurmJob[]>
  /**
   * The jobs that have not ended and are on this node. Unknown if one that cannot be read may be there. Then, and while jobs
   * have vanished all at once, those are among the last ones where they were seen.
   */
  jobsOn(nodeName: string): Knowledge<readonly SlurmJob[]>
}

/** What is read. */
export type ViewPart = 'nodes' | 'jobs'

/** See the module. */
export interface SlurmView extends SlurmReader {
  /** Hear of every difference. Returns how to stop. */
  subscribe(listener: (change: ViewChange) => void): () => void
  /**
   * Say that you wait for something: the list is read every second for so long. Say it again in every pass. Where lists
   * take too long for that, nodes that you name are looked at one by one in between, a few dozen of them every second:
   * you hear of a change at once, and know of it by the next list.
   */
  hurry(part: ViewPart, forMs: number, nodeNames?: readonly string[]): void
  /**
   * Wait for a list that is asked for from now on; longer where lists take long. Everybody who waits shares one list.
   * False: it has not come.
   */
  refresh(part: ViewPart, timeoutMs: number): Promise<boolean>
  /** Something changed that may end a silence: do not wait for the end of the pause. */
  retryNow(): void
  close(): void
}

/** All numbers that may be chosen. */
export type WholePace = ViewPace & GlimpsePace & TimePace

/** What a view needs. */
export interface ViewOptions {
  readonly client: Pick<SlurmClient, 'listNodes' | 'listJobs' | 'findNode' | 'readStatistics'>
  /** The machine's. Inside, time is steady; what users get is of the machine's time of day when they ask. */
  readonly clock?: Clock
  readonly random?: Random
  readonly pace?: Partial<WholePace>
  /** Told of errors thrown by listeners: bugs of theirs, which must not stop the polling. */
  readonly onListenerError?: (error: unknown) => void
}

/** All numbers of a view together. */
export const viewPace: ViewPace = {
  ...pollPace,
  ...trustPace,
  longestAgeMs: 100_000,
  fullListEveryMs: 2 * 60_000,
  overdueMs: 3000,
}

/** The two watched lists of a Slurm cluster, for those who write through them. */
export interface WatchedLists {
  readonly nodes: WatchedList<SlurmNode>
  readonly jobs: WatchedList<SlurmJob>
}

/** Build the view; it begins to poll nodes at once, and jobs when somebody first asks for them. */
export function createView(options: ViewOptions): { readonly view: SlurmView; readonly lists: WatchedLists } {
  const { client, random = systemRandom } = options
  const clock = steadyClock(options.clock ?? systemClock)
  const pace = { ...viewPace, ...glimpsePace, ...timePace, ...options.pace }
  const listeners = new Listeners<[ViewChange]>(options.onListenerError)
  const tell = (change: ViewChange): void => listeners.tell(change)
  const slurmTime = new SlurmTime({ read: async () => (await client.readStatistics()).atMs, clock, pace })
  const nodes = new WatchedList<SlurmNode>({
    kind: nodeKind,
    isInMotion: isNodeInMotion,
    list: (since) => client.listNodes(since),
    onChange: (news) => tellNodes(news, tell),
    ...{ slurmTime, clock, random, pace },
  })
  const jobs = new WatchedList<SlurmJob>({
    kind: jobKind,
    isInMotion: isJobInMotion,
    list: (since) => client.listJobs(since),
    onChange: (news) => tellJobs(news, tell),
    // Lists of jobs are three times as large, and nobody waits for them alone.
    ...{ slurmTime, clock, random, pace: { ...pace, timesDurationWaited: pace.timesDuration } },
  })
  const lists: WatchedLists = { nodes, jobs }
  const glimpses = new Glimpses({ nodes, find: (name) => client.findNode(name), clock, pace })
  nodes.start()
  return { lists, view: { ...createReader(lists), ...createControls(lists, glimpses, listeners) } }
}

function createReader({ nodes, jobs }: WatchedLists): SlurmReader {
  const startedJobs = (): WatchedList<SlurmJob> => {
    jobs.start()
    return jobs
  }
  let index: JobIndex | undefined
  return {
    node: (name) => nodes.one(name),
    nodes: () => nodes.all(),
    wholeListAgeMs: () => nodes.wholeAgeMs,
    job: (id) => startedJobs().one(String(id)),
    jobs: () => startedJobs().all(),
    jobsOn: (nodeName) => {
      const all = startedJobs().all()
      if (index?.entries !== jobs.told.entries) index = jobsByNode(jobs.told)
      const found = index.byNode.get(nodeName) ?? []
      if (all.kind !== 'seen') return unknown(all.kind === 'unknown' ? all.why : 'unreachable', found)
      const mayHaveOthers = index.mayBeAnywhere || index.inDoubt.has(nodeName)
      return mayHaveOthers ? unknown('unreadable', found) : seen(found, all.atMs)
    },
  }
}

function createControls(
  lists: WatchedLists,
  glimpses: Glimpses,
  listeners: Listeners<[ViewChange]>,
): Omit<SlurmView, keyof SlurmReader> {
  const started = (part: ViewPart): WatchedList<SlurmNode> | WatchedList<SlurmJob> => {
    lists[part].start()
    return lists[part]
  }
  return {
    subscribe: (listener) => listeners.add(listener),
    hurry: (part, forMs, nodeNames = []) => {
      started(part).hurry(forMs)
      glimpses.want(nodeNames, forMs)
    },
    refresh: (part, timeoutMs) => started(part).refresh(timeoutMs),
    retryNow: () => {
      lists.nodes.retryNow()
      lists.jobs.retryNow()
    },
    close: () => {
      glimpses.close()
      lists.nodes.close()
      lists.jobs.close()
      listeners.clear()
    },
  }
}

function tellNodes({ differences, trust }: ListNews<SlurmNode>, tell: (change: ViewChange) => void): void {
  for (const { name, old, now } of differences) tell({ kind: 'node', name, old, now })
  if (trust) tell({ kind: 'trust', of: 'nodes', ...trust })
}

function tellJobs({ differences, trust }: ListNews<SlurmJob>, tell: (change: ViewChange) => void): void {
  for (const { name, old, now } of differences) tell({ kind: 'job', id: Number(name), old, now })
  if (trust) tell({ kind: 'trust', of: 'jobs', ...trust })
}

/** The answers of a Slurm cluster that nobody is connected to: nothing is known, and that is all. */
export const noClientReader: SlurmReader = {
  node: () => unknown('no-client'),
  nodes: () => unknown('no-client'),
  wholeListAgeMs: () => Infinity,
  job: () => unknown('no-client'),
  jobs: () => unknown('no-client'),
  jobsOn: () => unknown('no-client'),
}
