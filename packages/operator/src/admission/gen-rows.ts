import { accountingRows, loginSetRows, restApiRows, tokenRows } from './gen-component-rows.ts'
import { controllerRows } from './gen-controller-rows.ts'
import { nodeSetRows } from './gen-node-set-rows.ts'
import type { Row, ValidatedKind } from './gen.ts'

/** Test data: all cases of all rules. */
export const rows: Readonly<Record<ValidatedKind, readonly Row[]>> = {
  Controller: controllerRows,
  Accounting: accountingRows,
  RestApi: restApiRows,
  LoginSet: loginSetRows,
  NodeSet: nodeSetRows,
  Token: tokenRows,
}
