/** One line of what Prometheus reads. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** What Prometheus reads: types by name, and all samples. Throws at a line that is not of its form. */
export function parseMetrics(text: string): {
  readonly types: ReadonlyMap<string, string>
  readonly samples: readonly Sample[]
} {
  const types = new Map<string, string>()
  const samples: Sample[] = []
  for (const line of text.split('\n')) {
    const type = /^# TYPE (\w+) (\w+)$/.exec(line)
    if (type) types.set(type[1] ?? '', type[2] ?? '')
    else if (line !== '' && !/^# HELP \w+ \S/.test(line)) samples.push(parseSample(line))
  }
  return { types, samples }
}

function parseSample(line: string): Sample {
  const [, name = '', inside = '', value = ''] =
    /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (-?[\d.e+-]+|\+Inf|-Inf|Nan)$/.exec(line) ?? []
  if (name === '') throw new Error(`Cannot read the line ${line}`)
  const labels = Array.from(inside.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g), ([, key = '', text = '']) => [key, text])
  return { name, labels: Object.fromEntries(labels) as Record<string, string>, value: Number(value) }
}
