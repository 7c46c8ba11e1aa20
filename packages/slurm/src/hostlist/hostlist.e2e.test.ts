import { startSlurm, whyNotHere, type Slurm } from '@slurm-operator/local'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expandHostlist } from './expand.ts'
import { anyHostlist, anyHostNames } from './gen.ts'
import { sortHostNames, writeHostlist, writeSortedHostlist } from './write.ts'

const inTheWay = whyNotHere()
const LISTS = 2000

/** One line in, one line out, however many names; a line that Slurm refuses comes back as `refused`. */
const askForEachLine = `while IFS= read -r list; do
  names=$(scontrol show "$0" "$list" 2>/dev/null)
  [ -n "$names" ] && printf '%s\\n' "$names" | paste -sd, - || echo refused
done`

beforeEach(({ skip }) => skip(inTheWay.length > 0, inTheWay.join('; ')))

describe('real Slurm and we read and write hostlists alike', () => {
  let slurm: Slurm
  beforeAll(async () => {
    if (inTheWay.length === 0) slurm = await startSlurm({ workers: 0, accounting: false })
  })
  afterAll(() => slurm?.stop())

  async function askSlurm(question: 'hostnames' | 'hostlist' | 'hostlistsorted', lists: readonly string[]) {
    const command = ['sh', '-c', askForEachLine, question]
    const { stdout } = await slurm.run(command, { input: `${lists.join('\n')}\n`, timeoutMs: 300_000 })
    return stdout.trimEnd().split('\n')
  }

  test(`${LISTS} random lists have the same names`, async () => {
    const lists = fc.sample(anyHostlist, LISTS)
    expect(lists.map((list) => expandHostlist(list).join(','))).toEqual(await askSlurm('hostnames', lists))
  })

  test(`${LISTS} random series of names are folded the same`, async () => {
    const series = fc.sample(anyHostNames, LISTS).filter((names) => names.length > 0)
    const theirs = await askSlurm(
      'hostlist',
      series.map((names) => names.join(',')),
    )
    expect(series.map((names) => writeHostlist(names))).toEqual(theirs)
  })

  test(`${LISTS} random sets of names are sorted and folded the same`, async () => {
    const sets = fc.sample(anyHostNames, LISTS).filter((names) => names.length > 0)
    const theirs = await askSlurm(
      'hostlistsorted',
      sets.map((names) => sortHostNames(new Set(names)).join(',')),
    )
    expect(sets.map((names) => writeSortedHostlist(names))).toEqual(theirs)
  })

  test('what Slurm refuses we refuse', async () => {
    const lists = ['a[3-1]', 'a[1-3', 'a[1,,2]', 'a[]', 'a[x]', 'a[1-65537]', 'a[1--2]', 'a[-2]', 'a[ 1 - 2 ]']
    expect(await askSlurm('hostnames', lists)).toEqual(lists.map(() => 'refused'))
    for (const list of lists) expect(() => expandHostlist(list), list).toThrow(/^Cannot read/)
  })
})
