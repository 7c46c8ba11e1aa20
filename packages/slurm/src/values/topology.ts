/** A node's place in one topology: `tree:rack-1:leaf-2` is the path rack-1, leaf-2 in the topology named tree. */
export interface TopologyPlace {
  readonly topology: string
  readonly path: readonly string[]
}

/** Read `tree:leaf-2,blocks:b7`: one place per topology. Blanks and empty entries are dropped. */
export function readTopology(text: string): TopologyPlace[] {
  return text.split(',').flatMap((entry) => {
    const [topology = '', ...path] = entry.split(':').map((part) => part.trim())
    return topology === '' ? [] : [{ topology, path: path.filter((part) => part !== '') }]
  })
}

/** The text for a request. */
export function writeTopology(places: readonly TopologyPlace[]): string {
  return places.map(({ topology, path }) => [topology, ...path].join(':')).join(',')
}

/** The same places, whatever the order of topologies in the text. */
export function sameTopology(one: string, other: string): boolean {
  return canonical(one) === canonical(other)
}

function canonical(text: string): string {
  return readTopology(text)
    .map((place) => writeTopology([place]))
    .sort()
    .join(',')
}
