/** A pod template with one container. */
export const template = {
  metadata: { labels: { app: 'x' } },
  spec: { containers: [{ name: 'main', image: 'i', ports: [{ containerPort: 80 }] }] },
} as const

/** What Deployments and StatefulSets have in common. */
export function workload(more: object = {}): object {
  return { spec: { selector: { matchLabels: { app: 'x' } }, template, ...more } }
}
