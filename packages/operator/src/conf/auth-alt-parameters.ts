import { configFiles, paths } from '@slurm-operator/api'
import { setting, type Setting } from './write-conf.ts'

/** Where slurmctld and slurmdbd find the keys of tokens. */
export function authAltParameters(hasJwks: boolean | undefined): Setting {
  const jwks = hasJwks ? `,jwks=${paths.config}/${configFiles.jwks}` : ''
  return setting('AuthAltParameters', `jwt_key=${paths.config}/${configFiles.jwtKey}${jwks}`)
}
