import { SHELL_IMAGE } from '../cluster/images.ts'

/** A pod that serves its own name on port 8080. `hostname` and `subdomain` give it a DNS name below the Service `web`. */
export function webPod(name: string, node: string, containerFields: object = {}): object {
  const script = `mkdir -p /tmp/www && echo ${name} > /tmp/www/index.html && exec httpd -f -p 8080 -h /tmp/www`
  const container = { name: 'web', image: SHELL_IMAGE, command: ['sh', '-c', script], ...containerFields }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: name, kind: 'web' } },
    spec: {
      nodeName: node,
      hostname: name,
      subdomain: 'web',
      terminationGracePeriodSeconds: 0,
      containers: [container],
    },
  }
}

/** A Service in front of pods with one label. */
export function webService(name: string, selector: Readonly<Record<string, string>>, fields: object = {}): object {
  const spec = { selector, ports: [{ port: 80, targetPort: 8080 }], ...fields }
  return { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec }
}

/** A pod that runs a script to its end, with a claim mounted at /data. */
export function scriptPod(name: string, script: string, claimName: string): object {
  const container = { name: 'sh', image: SHELL_IMAGE, command: ['sh', '-c', script] }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: {
      restartPolicy: 'Never',
      securityContext: { runAsUser: 1000, runAsGroup: 1000, fsGroup: 2000 },
      containers: [{ ...container, volumeMounts: [{ name: 'data', mountPath: '/data' }] }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
    },
  }
}

/** Many objects in one text, as kubectl reads it. */
export function listOf(objects: readonly object[]): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects })
}
