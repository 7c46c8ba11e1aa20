import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createClient, loadSettings } from '@slurm-operator/kube'
import { startApiServer } from '@slurm-operator/local'
import { everythingOn, renderChart } from '/work/main/tools/charts/gen.ts'
import { findHelm } from '/work/main/tools/charts/helm.ts'
import { createApply, namespace } from '/work/main/tools/charts/on-server.ts'
import { readRendered } from '/work/main/tools/charts/read-rendered.ts'
const helm = await findHelm()
const server = await startApiServer()
const client = createClient(await loadSettings({ kubeconfig: server.kubeconfig }))
let apply = await createApply(client)
for (const o of readRendered(renderChart(helm, 'slurm-operator-crds', {}).stdout)) console.log(await apply(o))
apply = await createApply(client, { 'slinky.slurm.net': 7 })
await apply(namespace('ns'))
const scoped = process.argv[2] === 'scoped'
const op = readRendered(renderChart(helm, 'slurm-operator', scoped ? { operator: { namespaces: 'ns' } } : {}).stdout)
for (const o of op.filter(({ kind }) => /^(ServiceAccount|(Cluster)?Role(Binding)?)$/.test(kind))) console.log(o.kind, o.metadata.name, await apply(o))
const kubeconfig = `${server.folder}/mgr`
writeFileSync(kubeconfig, await server.kubeconfigFor({ name: 'system:serviceaccount:ns:rel-slurm-operator', groups: ['system:serviceaccounts'] }))
const args = ['/work/main/packages/operator/src/programs/manager.ts', '--health-addr', ':0', '--metrics-addr', '0', '--leader-elect', '--leader-elect-namespace', 'ns', '--kubeconfig', kubeconfig, ...(scoped ? ['--namespaces', 'ns'] : [])]
const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] })
await new Promise((r) => setTimeout(r, 5000))
for (const o of readRendered(renderChart(helm, 'slurm', everythingOn['slurm'] ?? {}).stdout)) if (o.kind !== 'Pod') { const a = await apply(o); if (a !== 'accepted') console.log(a) }
await new Promise((r) => setTimeout(r, 15000))
for (const p of ['/api/v1/namespaces/ns/secrets', '/api/v1/namespaces/ns/pods', '/apis/apps/v1/namespaces/ns/statefulsets', '/apis/apps/v1/namespaces/ns/deployments', '/apis/apps/v1/namespaces/ns/controllerrevisions','/apis/policy/v1/namespaces/ns/poddisruptionbudgets'])
  console.log(p, ((JSON.parse((await client.raw({ method: 'GET', path: p })).text)) as any).items.map((i: any) => i.metadata.name).join(' '))
child.kill('SIGTERM')
await new Promise((r) => child.on('exit', r))
client.close()
await server.stop()
