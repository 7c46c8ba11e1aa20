/**
 * The little reading of ASN.1 that node:crypto does not do for us: the exact bytes of an issuer's name and of its key
 * identifier. Both must be repeated bit by bit in every certificate it signs.
 *
 * @module
 */

/** One value: its tag, what it holds, and all of its bytes. */
export interface DerValue {
  readonly tag: number
  readonly content: Buffer
  readonly whole: Buffer
}

/** The values that lie side by side in these bytes. */
export function readDer(bytes: Buffer): DerValue[] {
  const values: DerValue[] = []
  for (let rest = bytes; rest.length > 0;) {
    const value = readFirst(rest)
    values.push(value)
    rest = rest.subarray(value.whole.length)
  }
  return values
}

/** What the body of a certificate says about its owner, as raw bytes. */
export interface CertificateBody {
  /** The owner's name, for the issuer field of what it signs. */
  readonly subject: Buffer
  /** The identifier of the owner's key, if the certificate names one. */
  readonly subjectKeyId: Buffer | undefined
}

/** Read a certificate that node:crypto has already found well formed. */
export function readCertificateBody(certificate: Buffer): CertificateBody {
  const [outer] = readDer(certificate)
  const [body] = readDer(outer?.content ?? Buffer.alloc(0))
  const fields = readDer(body?.content ?? Buffer.alloc(0))
  const named = fields.filter(({ tag }) => tag === SEQUENCE) // algorithm, issuer, validity, subject, key
  const extensions = fields.find(({ tag }) => tag === EXTENSIONS)
  const subject = named[3]
  if (subject === undefined) throw new Error('Cannot read the certificate: it names no subject.')
  return { subject: subject.whole, subjectKeyId: extensions && findKeyId(extensions.content) }
}

const SEQUENCE = 0x30
const OCTET_STRING = 0x04
const EXTENSIONS = 0xa3
const SUBJECT_KEY_ID = Buffer.from([0x55, 0x1d, 0x0e]) // 2.5.29.14

function findKeyId(extensions: Buffer): Buffer | undefined {
  const list = readDer(readDer(extensions)[0]?.content ?? Buffer.alloc(0))
  for (const { content } of list) {
    const [id, ...values] = readDer(content)
    if (!id?.content.equals(SUBJECT_KEY_ID)) continue
    const value = values.find(({ tag }) => tag === OCTET_STRING)
    return value && readDer(value.content)[0]?.content
  }
  return undefined
}

function readFirst(bytes: Buffer): DerValue {
  const first = bytes[1] ?? 0
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f
  const start = 2 + lengthBytes
  const length = lengthBytes === 0 ? first : bytes.subarray(2, start).reduce((sum, byte) => sum * 256 + byte, 0)
  if (bytes.length < start + length) throw new Error('Cannot read the certificate: it ends too early.')
  const end = start + length
  return { tag: bytes[0] ?? 0, content: bytes.subarray(start, end), whole: bytes.subarray(0, end) }
}
