import type { KubeObject } from '@slurm-operator/kube'
import type { ComponentRoom, RoomPass, Wish } from '../component/room.ts'
import type { Kept, Specified } from '../world/trim.ts'
import { stored } from './still-server.ts'
import { createStillWorld, stillPass, type StillOptions, type StillWorld } from './still-world.ts'
import { compareWithRecorded, decoded, readCase, withoutAllowed, type Allowed } from './recorded-cases.ts'

/** A pass of a room in a world that stands still, up to what it wants. */
export interface StillPass<Full extends KubeObject, Facts> extends StillWorld {
  readonly at: RoomPass<Full>
  readonly facts: Facts
  readonly wish: Wish
}

/** Observe and build the object of this kind and name, which must be among those given. */
export async function passThrough<T extends KubeObject & Specified, Facts, Full extends T>(
  room: ComponentRoom<T, Facts, Full>,
  object: object,
  { nowMs = Date.parse('2026-06-01T12:00:00Z'), ...options }: StillOptions & { readonly nowMs?: number },
): Promise<StillPass<Full, Facts>> {
  const still = createStillWorld({ ...options, objects: [...options.objects, object] })
  const whole = room.withDefaults(stored(object, options.namespace) as unknown as Kept<T>)
  const at: RoomPass<Full> = { object: whole, world: still.world, pass: stillPass, nowMs }
  const facts = await room.observe(at)
  return { ...still, at, facts, wish: room.build(whole, facts) }
}

/** Differences between what a room builds in a recorded case and what was recorded. */
export async function findDifferences<T extends KubeObject & Specified, Facts, Full extends T>(
  room: ComponentRoom<T, Facts, Full>,
  name: string,
  allowed: readonly Allowed[],
): Promise<string[]> {
  const { input, expected } = readCase(name)
  const objects = input.filter(({ kind }) => kind === room.resource.kind)
  const lines: string[] = []
  for (const object of objects) {
    const { wish } = await passThrough(room, object, { objects: input, namespace: name, hasServiceMonitors: true })
    lines.push(...wish.obstacles.map(({ reason, because }) => `${reason}: ${because}`))
    lines.push(...wish.children.flatMap((child) => compareChild(decoded(child), expected)))
    lines.push(...findUnbuilt(object, wish, expected))
  }
  return withoutAllowed(name, lines, allowed)
}

function compareChild(child: KubeObject, expected: readonly KubeObject[]): string[] {
  const recorded = expected.find(({ kind, metadata }) => kind === child.kind && metadata?.name === child.metadata.name)
  if (recorded === undefined) return [`${child.kind} ${child.metadata.name}: nothing was recorded`]
  return compareWithRecorded(child, recorded).map((line) => `${child.kind} ${line}`)
}

function findUnbuilt(owner: KubeObject, { children }: Wish, expected: readonly KubeObject[]): string[] {
  const isOwned = ({ metadata }: KubeObject) =>
    metadata?.ownerReferences?.some(({ kind, name }) => kind === owner.kind && name === owner.metadata.name) ?? false
  const isBuilt = ({ kind, metadata }: KubeObject) =>
    children.some((child) => child.kind === kind && child.metadata.name === metadata.name)
  const unbuilt = expected.filter((object) => isOwned(object) && !isBuilt(object))
  return unbuilt.map(({ kind, metadata }) => `${kind} ${metadata.name}: recorded, but not built`)
}
