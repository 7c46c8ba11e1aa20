/**
 * Random histories: every field of every kind is edited, well and badly, while operators end at random calls. What there
 * is at the end is sound, so that there is only one right outcome.
 *
 * @module
 */
import fc from 'fast-check'
import { kinds, type OurKind } from '@slurm-operator/api'
import { applyMergePatch, type JsonObject } from '@slurm-operator/kube'
import { anyEditAt, type Edit } from './gen-edits.ts'
import { listLeaves, type Leaf } from './leaves.ts'
import { firstSpecs } from './small-cluster.ts'

/** What may happen next. */
export type Happening =
  | ({ readonly do: 'edit' } & Edit)
  | { readonly do: 'mark'; readonly kind: OurKind; readonly metadata: JsonObject }
  /** The operator ends so many calls later. */
  | { readonly do: 'end'; readonly afterCalls: number }

/** One history, and what is asked for in the end. */
export interface History {
  readonly happenings: readonly Happening[]
  readonly last: Readonly<Record<OurKind, JsonObject>>
}

/** All places in all kinds. */
export const leaves: readonly Leaf[] = (Object.keys(kinds) as OurKind[]).flatMap((kind) => listLeaves(kind))

const anyKind = fc.constantFrom(...(Object.keys(kinds) as OurKind[]))
const anyMark = fc.constantFrom<JsonObject>(
  { labels: { team: 'b' } },
  { labels: { team: null } },
  { annotations: { 'argocd.argoproj.io/tracking-id': 'x', owner: 'me' } },
  { annotations: { owner: null } },
)

const anyOtherHappening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({ do: fc.constant('mark' as const), kind: anyKind, metadata: anyMark }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('end' as const), afterCalls: fc.nat(30) }) },
)

/** Two edits of a field: one that works, and one that may be anything. */
function anyEditsAt(leaf: Leaf): fc.Arbitrary<readonly Happening[]> {
  const another = fc.constantFrom(
    'sound' as const,
    'odd' as const,
    'odd' as const,
    'wrong' as const,
    'removed' as const,
  )
  const edits = fc.tuple(
    anyEditAt(leaf, 'sound'),
    another.chain((quality) => anyEditAt(leaf, quality)),
  )
  return edits.map((both) => both.map((edit) => ({ do: 'edit' as const, ...edit })))
}

/** A first spec with some sound edits. */
function anyLastSpec(kind: OurKind): fc.Arbitrary<JsonObject> {
  const places = listLeaves(kind)
  return fc
    .subarray([...places], { maxLength: Math.ceil(places.length / 3) })
    .chain((chosen) =>
      fc
        .tuple(...chosen.map((leaf) => anyEditAt(leaf, 'sound')))
        .map((edits) => edits.reduce<JsonObject>(edited, firstSpecs[kind])),
    )
}

function edited(spec: JsonObject, edit: Edit): JsonObject {
  return applyMergePatch(spec, edit.spec) as JsonObject
}

/** So many histories, among which the edits of all fields are dealt out. */
export function anyHistories(count: number): fc.Arbitrary<readonly History[]> {
  const edits = fc.tuple(...leaves.map(anyEditsAt)).map((lists) => lists.flat())
  const others = fc.array(anyOtherHappening, { minLength: 6 * count, maxLength: 9 * count })
  const all = fc.tuple(edits, others).chain(([one, other]) => {
    const together = [...one, ...other]
    return fc.shuffledSubarray(together, { minLength: together.length })
  })
  const last = fc.record(Object.fromEntries((Object.keys(kinds) as OurKind[]).map((kind) => [kind, anyLastSpec(kind)])))
  return fc.tuple(all, fc.array(last, { minLength: count, maxLength: count })).map(([happenings, lasts]) =>
    lasts.map((each, index) => ({
      happenings: happenings.filter((_, at) => at % count === index),
      last: each as History['last'],
    })),
  )
}
