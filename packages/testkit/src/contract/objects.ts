import type { ConfigMap, Pod } from '@slurm-operator/kube'

/** A ConfigMap. */
export function configMap(namespace: string, name: string, more: Partial<ConfigMap> = {}): ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', ...more, metadata: { namespace, name, ...more.metadata } }
}

/** A pod with one container; on a node if one is named. */
export function pod(namespace: string, name: string, nodeName?: string): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace, name, labels: { app: name } },
    spec: {
      ...(nodeName !== undefined && { nodeName }),
      containers: [{ name: 'main', image: 'image:1', ports: [{ containerPort: 80 }] }],
    },
  }
}
