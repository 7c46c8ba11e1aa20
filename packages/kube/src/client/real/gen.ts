import { startApiServer, type ApiServer } from '@slurm-operator/local'
import { afterAll } from 'vitest'
import { loadSettings } from '../../config/load-settings.ts'
import { createClient, type Client } from '../client.ts'

/** A real API server for all tests of a file, and a client with all rights. Both end with the file. */
export async function startRealServer(): Promise<{ readonly api: ApiServer; readonly client: Client }> {
  const api = await startApiServer()
  const client = createClient(await loadSettings({ kubeconfig: api.kubeconfig }))
  afterAll(async () => {
    client.close()
    await api.stop()
  })
  return { api, client }
}
