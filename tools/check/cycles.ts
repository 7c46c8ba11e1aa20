/**
 * Import cycles. Types count too: two files that need each other's types are one idea in two places.
 *
 * @module
 */
import { type Import, targetOf } from './imports.ts'

/** One line per cycle, with the whole way round. */
export function findCycles(imports: readonly Import[]): string[] {
  const graph = buildGraph(imports)
  const finished = new Set<string>()
  const cycles: string[] = []
  for (const file of graph.keys()) visit(file, [])
  return cycles

  function visit(file: string, trail: readonly string[]): void {
    const seenAt = trail.indexOf(file)
    if (seenAt >= 0) cycles.push([...trail.slice(seenAt), file].join(' → '))
    if (seenAt >= 0 || finished.has(file)) return
    for (const next of graph.get(file) ?? []) visit(next, [...trail, file])
    finished.add(file)
  }
}

function buildGraph(imports: readonly Import[]): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>()
  for (const one of imports) {
    const target = targetOf(one)
    if (target !== undefined) graph.set(one.from, (graph.get(one.from) ?? new Set()).add(target))
  }
  return graph
}
