import { accountingKind, type Accounting } from './accounting.ts'
import { clusterKind, type Cluster } from './cluster.ts'
import { controllerKind, type Controller } from './controller.ts'
import type { KindDefinition } from './kind.ts'
import { loginSetKind, type LoginSet } from './login-set.ts'
import { nodeSetKind, type NodeSet } from './node-set.ts'
import { restApiKind, type RestApi } from './rest-api.ts'
import { tokenKind, type Token } from './token.ts'

/** An object of ours. */
export type OurObject = Accounting | Cluster | Controller | LoginSet | NodeSet | RestApi | Token

/** The name of one of our kinds. */
export type OurKind = OurObject['kind']

/** All of them, by name. */
export const kinds: Readonly<Record<OurKind, KindDefinition>> = {
  Accounting: accountingKind,
  Cluster: clusterKind,
  Controller: controllerKind,
  LoginSet: loginSetKind,
  NodeSet: nodeSetKind,
  RestApi: restApiKind,
  Token: tokenKind,
}
