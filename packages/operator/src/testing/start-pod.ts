import { podResource, type Client, type ObjectKey } from '@slurm-operator/kube'
import { eventually } from './gen.ts'

/** Play the kubelet: wait for this pod, and say that it runs well. */
export async function startPod(client: Client, key: ObjectKey): Promise<void> {
  const pods = client.resource(podResource)
  await eventually(`Pod ${key.name}`, () => pods.find(key))
  const body = { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } }
  await pods.status.patch(key, { type: 'strategic', body })
}
