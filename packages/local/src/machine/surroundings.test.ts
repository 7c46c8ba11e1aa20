import { expect, test } from 'vitest'
import { whyNoBoxes, type Surroundings } from './surroundings.ts'

const good: Surroundings = {
  platform: 'linux',
  architecture: 'x64',
  userId: 0,
  capabilities: (1n << 41n) - 1n,
  fileSystems: ['ext4', 'overlay'],
  freeBytes: 50e9,
  hasPrograms: false,
  hasApt: true,
}

const obstacles: readonly { name: string; change: Partial<Surroundings>; says: RegExp }[] = [
  { name: 'another system is tried and fails late', change: { platform: 'darwin' }, says: /this is darwin/ },
  {
    name: 'an ordinary user meets permission errors halfway',
    change: { userId: 1000 },
    says: /you are user 1000, and root is needed .*: call it with sudo/,
  },
  {
    name: 'a root without rights meets them too',
    change: { capabilities: 0n },
    says: /no CAP_SYS_ADMIN \(to make namespaces and mounts\), .*: in a container, start it privileged/,
  },
  {
    name: 'a kernel without overlay fails in the first box',
    change: { fileSystems: ['ext4'] },
    says: /no overlay file system/,
  },
  {
    name: 'a full disk is noticed after ten minutes of building',
    change: { freeBytes: 5e9 },
    says: /only 5\.0 GB of disk are free, .* 6 GB: .* XDG_CACHE_HOME/,
  },
  {
    name: 'a full disk is noticed when the cluster runs',
    change: { freeBytes: 1e9, hasPrograms: true },
    says: /only 1\.0 GB of disk are free, .* 3 GB: /,
  },
  { name: 'a machine without Debian packages is asked for them', change: { hasApt: false }, says: /no apt-get/ },
  { name: 'a processor that nobody built for is tried', change: { architecture: 'riscv64' }, says: /riscv64/ },
]

test('a good machine is refused', () => {
  expect(whyNoBoxes(good)).toEqual([])
  expect(whyNoBoxes({ ...good, freeBytes: 4e9, hasPrograms: true })).toEqual([])
})

test('somebody is told what is wrong, but not what to do', () => {
  const bad: Surroundings = { ...good, userId: 1000, capabilities: 0n, fileSystems: [], freeBytes: 0, hasApt: false }
  const told = [...whyNoBoxes(bad), ...whyNoBoxes({ ...bad, userId: 0 })]
  expect(told.filter((line) => !/: .+|\(.+\)/.test(line))).toEqual([])
})

for (const { name, change, says } of obstacles) {
  test(name, () => expect(whyNoBoxes({ ...good, ...change }).join('\n')).toMatch(says))
}
