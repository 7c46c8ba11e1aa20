import { sshConfigMapName, sshHostKeysSecretName, type LoginSetWithDefaults } from '@slurm-operator/api'
import { buildControllerReference, type ConfigMap, type ObjectMeta, type Secret } from '@slurm-operator/kube'
import { buildAuthorizedKeys, buildSshdConfig } from '../conf/build-ssh-config.ts'
import { buildMetadata } from '../workload/build-metadata.ts'
import type { Kept } from '../world/trim.ts'
import type { HostKeyFiles } from './host-keys.ts'
import { sshPort } from './ssh-port.ts'

/** The identity of the login pods. Nobody can change it by accident. */
export function buildHostKeySecret(loginSet: Kept<LoginSetWithDefaults>, hostKeys: HostKeyFiles): Secret {
  const encoded = Object.entries(hostKeys).map(([file, text]) => [file, Buffer.from(text).toString('base64')])
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: metadataOf(loginSet, sshHostKeysSecretName(loginSet.metadata.name)),
    immutable: true,
    data: Object.fromEntries(encoded) as Record<string, string>,
  }
}

/** What sshd reads. */
export function buildSshConfigMap(loginSet: Kept<LoginSetWithDefaults>): ConfigMap {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadataOf(loginSet, sshConfigMapName(loginSet.metadata.name)),
    immutable: false,
    data: sshTexts(loginSet),
  }
}

/** The texts of the ConfigMap. */
export function sshTexts({ spec }: LoginSetWithDefaults): Record<'authorized_keys' | 'sshd_config', string> {
  return {
    authorized_keys: buildAuthorizedKeys(spec.rootSshAuthorizedKeys).value,
    sshd_config: buildSshdConfig({ of: 'login', port: sshPort(spec), extraSshdConfig: spec.extraSshdConfig }),
  }
}

function metadataOf(loginSet: Kept<LoginSetWithDefaults>, name: string): ObjectMeta {
  const { metadata } = loginSet
  const { namespace, name: instance } = metadata
  return {
    ...buildMetadata({ on: 'object', name, namespace, component: 'login', instance, resource: metadata }),
    ownerReferences: [buildControllerReference(loginSet)],
  }
}
