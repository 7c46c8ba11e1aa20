import { describe, expect, test } from 'vitest'
import { allAtOnce } from './all-at-once.ts'
import { liveThrough } from './history.ts'

/** Histories that once broke a promise, and what they found. */
const failedSeeds: Readonly<Record<number, string>> = {
  100_051: 'workers are out of service for ever: slurmctld came back and remembers only their predecessors',
  100_427: 'the same on every Kube node, after the NodeSet was deleted and made again',
  100_886: 'a node is DOWN by our own words and silent: nobody asks it, so nobody returns it to service',
  101_055: 'the same as the first, after a pod was deleted by hand',
  105_895: 'a pod is deleted with its job, because half of all lists are missing for more than a minute',
  200_117: 'the drain of somebody else is overwritten, because a newer list was waited for and did not come',
  110_102: 'a pod is deleted with a job that it got while lists did not show its node',
  112_990: 'a pod that waited for minutes, and has just begun its first jobs, is deleted as one that never worked',
  113_887: 'a pod is made 32 times in a minute while one of the deleted NodeSet of that name cannot end',
  117_492:
    'the drain of somebody else is overwritten, half a minute after we looked, because a request before it took so long',
  300_851:
    'a slurmd that is DOWN for a slurmctld that has just begun is not asked to register (a fault of the simulation)',
  305_415: 'the same, with a drain of an administrator',
  309_436:
    'the drain of somebody else is overwritten, because lists are eight seconds on their way (the promise allows it since)',
  309_816: 'the claim of a worker that was too many went with it, while another was replaced (a fault of the promise)',
  313_398: 'the same with three workers',
  316_214: 'a worker is replaced in the moment in which another Kube node can have one again (a fault of the promise)',
  317_337: 'what belongs to a deleted NodeSet is made 38 times in a minute, because the news of its end is late',
  327_489:
    'the record of a node that Slurm refuses is deleted, with the drain that an administrator has given it since',
  329_606:
    'the last finalizer of a deleted NodeSet is taken away 40 times in a minute, because the news of its end is late',
  339_119:
    'a claim went by its policy, with a pod that somebody else had deleted and that was too many then (a fault of the promise)',
  344_927:
    'a worker stays DOWN for ever after its size was mended, by the words with which Slurm had refused the one before it',
  350_621:
    'a node is given back that somebody else had drained, because slurmctld came back with an older state just then',
  356_177:
    'a node stays DOWN for ever, because an undrain crossed our preStop hook and took its words away (a fault of the simulation)',
  361_702:
    'the reason of somebody else is overwritten by an order that slurmrestd got before and carried out later (a fault of the promise)',
  364_866:
    'a pod is made 41 times in a minute, because the answer to the first time was lost and the news of it is late',
  366_118:
    'the same as 361,702: a stalled order, which rested on an answer from just before the drain of somebody else (a fault of the promise)',
  367_945:
    'a worker that was Ready, but not for long enough to be available, counted as taken out of service (a fault of the promise)',
  380_813:
    'a drain is ordered 49 times in a minute, with every list, because slurmrestd answers lists and fails orders',
  107_774: 'a job is said to run on a slurmd whose address Slurm has forgotten (a fault of the simulation)',
}

/** The same, of histories with all that can happen. */
const failedAtOnce: Readonly<Record<number, string>> = {
  950_636: 'peace never comes, because of a suspended job that nobody lets go on (a fault of the simulation)',
  950_677: 'the record of a node that an administrator said to fail goes with an update of a worker that never started',
  951_745: 'a drained worker is deleted with a suspended job whose record could not be read',
  951_969:
    'a reason is overwritten that was given after Slurm’s clock had been set back: nothing has changed, says Slurm',
  953_919: 'the same as 951,745',
  954_243: 'a node is FAIL after slurmctld came back with an older state, and nobody is told to take that back',
  955_115: 'the same as 950,677, of a node that was put DOWN',
  960_656: 'a pod is deleted with a suspended job, because only the new list of nodes has shown that it could go',
  960_907: 'the same, ten seconds after its NodeSet was deleted',
  961_130: 'a suspended job is lost of which shortened lists did not tell (the promise allows it since)',
  962_014: 'the record of a pod that the kubelet evicted is deleted with a suspended job there',
  962_160: 'a pod is deleted with a suspended job whose record, which nobody had seen before, made no sense',
  962_404: 'the same as 960,656',
  962_443: 'a pod is evicted after an administrator gave its node back (a fault of the promise)',
  963_405: 'the same as 962,160, with a job on three nodes and another scaling mode',
}

describe('a history that once failed prevents that', () => {
  test.each(Object.entries(failedSeeds))('%s: %s', async (seed) => {
    const { broken, story } = await liveThrough(Number(seed))
    expect(broken, story.join('\n')).toEqual([])
  })

  test.each(Object.entries(failedAtOnce))('%s, all at once: %s', async (seed) => {
    const { broken, story } = await liveThrough(Number(seed), allAtOnce)
    expect(broken, story.join('\n')).toEqual([])
  })
})
