import { createPrivateKey, X509Certificate } from 'node:crypto'

/** Whether a key belongs to a certificate. Neither of them is a pair as well: there is nothing to disagree. */
export function isPair(certificate: string | undefined, key: string | undefined): boolean {
  if (certificate === undefined || key === undefined) return certificate === key
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))
  } catch {
    return false // half written: the next look will show it whole
  }
}
