import { isMap, listAt, mapAt, textAt, type Fields } from './kubeconfig-document.ts'
import { misconfigured } from './misconfigured.ts'
import type { ExecApiVersion, ExecPlugin } from './settings.ts'

/** The extension of a cluster that is meant for plugins. */
const EXTENSION = 'client.authentication.k8s.io/exec'

const versions: readonly string[] = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1']

/** Fields of a cluster in a kubeconfig, and what a plugin calls them. */
const clusterFields: readonly (readonly [inConfig: string, inPlugin: string])[] = [
  ['server', 'server'],
  ['tls-server-name', 'tls-server-name'],
  ['insecure-skip-tls-verify', 'insecure-skip-tls-verify'],
  ['certificate-authority-data', 'certificate-authority-data'],
  ['proxy-url', 'proxy-url'],
]

/** What a user's `exec` asks for. */
export function readExecPlugin(exec: Fields, cluster: Fields, request: string): ExecPlugin {
  const [apiVersion, command, hint] = [textAt(exec, 'apiVersion'), textAt(exec, 'command'), textAt(exec, 'installHint')]
  if (command === '') throw misconfigured(request, 'its exec plugin has no command')
  if (!versions.includes(apiVersion)) {
    const detail = `exec plugin ${command} speaks ${apiVersion || 'an unnamed version'}. Supported are ${versions.join(' and ')}.`
    throw misconfigured(request, detail)
  }
  if (textAt(exec, 'interactiveMode') === 'Always') {
    throw misconfigured(
      request,
      `exec plugin ${command} wants to ask questions (interactiveMode Always), which is not supported`,
    )
  }
  return {
    apiVersion: apiVersion as ExecApiVersion,
    command,
    args: listAt(exec, 'args').map(String),
    env: Object.fromEntries(
      listAt(exec, 'env')
        .filter(isMap)
        .map((one) => [textAt(one, 'name'), textAt(one, 'value')]),
    ),
    ...(hint !== '' && { installHint: hint }),
    ...(exec['provideClusterInfo'] === true && { cluster: clusterInfo(cluster) }),
  }
}

function clusterInfo(cluster: Fields): Fields {
  const fields = clusterFields.flatMap(([from, to]) =>
    Object.hasOwn(cluster, from) ? [[to, cluster[from]] as const] : [],
  )
  const extension = listAt(cluster, 'extensions')
    .filter(isMap)
    .find((one) => textAt(one, 'name') === EXTENSION)
  return { ...Object.fromEntries(fields), ...(extension !== undefined && { config: mapAt(extension, 'extension') }) }
}
