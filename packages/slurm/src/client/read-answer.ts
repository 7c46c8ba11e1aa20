import type { ApiVersion } from '../model/api-version.ts'
import type { Records, Unreadable } from '../model/records.ts'
import { beginList } from './record-memory.ts'
import type { RecordReader } from './request.ts'
import { RecordSplitter } from './split-records.ts'
import type { WireAnswer } from './transport.ts'

/** How much we take in before we call an answer absurd. */
export interface AnswerLimits {
  readonly listBytes: number
  readonly otherBytes: number
}

/** 25,000 jobs, or 80,000 nodes; and far more than any other answer needs. */
export const defaultLimits: AnswerLimits = { listBytes: 256 * 2 ** 20, otherBytes: 16 * 2 ** 20 }

/** An answer read to its end: the parsed object or text, and the records that were cut out of it. */
export interface ReadAnswer<T> {
  readonly status: number
  readonly body: unknown
  readonly list: Records<T>
}

/** Thrown for an answer that came and cannot be used. */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer'
}

/** How to read it. */
export interface ReadOptions<T> {
  readonly version: ApiVersion
  readonly reader: RecordReader<T> | undefined
  readonly limits: AnswerLimits
}

/** Read an answer to its end. A list is mapped while it arrives; a list that is cut short counts as nothing. */
export async function readAnswer<T>(answer: WireAnswer, options: ReadOptions<T>): Promise<ReadAnswer<T>> {
  const { status } = answer
  const isJson = answer.contentType.includes('json')
  if (options.reader && status === 200 && isJson) return readList(answer, { ...options, reader: options.reader })
  const text = await readText(answer.body, options.limits.otherBytes)
  return { status, body: isJson ? parseBody(text) : text, list: noRecords }
}

const noRecords: Records<never> = { listed: false, records: [], unreadable: [], lastUpdateInSeconds: undefined }

async function readText(body: AsyncIterable<Uint8Array>, limit: number): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const chunk of bounded(body, limit)) pieces.push(Buffer.from(chunk))
  return Buffer.concat(pieces).toString('utf8')
}

async function readList<T>(
  answer: WireAnswer,
  { version, reader, limits }: ReadOptions<T> & { readonly reader: RecordReader<T> },
): Promise<ReadAnswer<T>> {
  const splitter = new RecordSplitter(reader.key)
  const records: T[] = []
  const unreadable: Unreadable[] = []
  const memory = beginList(reader.memory, version)
  const read = (bytes: Buffer): void => {
    const index = records.length + unreadable.length
    const one = memory.read(bytes, () => readRecord(bytes.toString('utf8'), reader, version))
    for (const record of one.records) records.push(record)
    for (const lost of one.unreadable) unreadable.push({ ...lost, index })
  }
  for await (const chunk of bounded(answer.body, limits.listBytes)) splitter.push(chunk).forEach(read)
  const body = parseBody(endOf(splitter))
  memory.keep()
  const outside = reader.read(body, version)
  return { status: answer.status, body, list: { ...outside, records, unreadable } }
}

function readRecord<T>(text: string, { key, read }: RecordReader<T>, version: ApiVersion): Records<T> {
  try {
    return read({ [key]: [JSON.parse(text)] }, version)
  } catch (error) {
    const because = error instanceof Error ? error.message : String(error)
    return { ...noRecords, unreadable: [{ index: 0, name: undefined, because }] }
  }
}

function endOf(splitter: RecordSplitter): string {
  try {
    return splitter.end()
  } catch (error) {
    throw new UnreadableAnswer(`the answer cannot be used: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
    })
  }
}

function parseBody(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UnreadableAnswer('the answer is not JSON although it says so', { cause: error })
  }
}

async function* bounded(body: AsyncIterable<Uint8Array>, limit: number): AsyncIterable<Uint8Array> {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > limit) throw new UnreadableAnswer(`the answer is larger than ${limit} bytes`)
    yield chunk
  }
}
