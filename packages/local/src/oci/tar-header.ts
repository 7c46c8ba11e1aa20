/**
 * The blocks in front of an entry: ustar, with a pax block where ustar's fields are too small.
 *
 * GNU's own extensions are avoided: pax is the one form that every reader of layers understands.
 *
 * @module
 */
import type { TarEntry } from './tar-entry.ts'

/** Everything in a tar archive is a multiple of this. */
export const BLOCK_BYTES = 512

/** The largest numbers that fit the octal fields; beyond them a pax record carries the number. */
const LARGEST_ID = 0o7777777
const LARGEST_SIZE = 0o77777777777
const NAME_BYTES = 100

const typeFlags = { file: '0', hardlink: '1', symlink: '2', directory: '5', fifo: '6', pax: 'x' } as const

interface Fields {
  readonly type: keyof typeof typeFlags
  readonly name: string
  readonly link: string
  readonly mode: number
  readonly uid: number
  readonly gid: number
  readonly size: number
  readonly mtimeSeconds: number
}

/** The header of an entry, to be followed by its content, if it has any. */
export function tarHeader(entry: TarEntry, mtimeSeconds: number): Buffer {
  const fields = fieldsOf(entry, mtimeSeconds)
  const records = Buffer.from(paxRecords(fields).join(''))
  if (records.length === 0) return ustarBlock(fields)
  const pax: Fields = {
    ...fields,
    type: 'pax',
    name: 'pax',
    link: '',
    mode: 0o644,
    uid: 0,
    gid: 0,
    size: records.length,
  }
  return Buffer.concat([ustarBlock(pax), records, padding(records.length), ustarBlock(fields)])
}

/** The zeros that fill the last block of content. */
export function padding(size: number): Buffer {
  return Buffer.alloc((BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES)
}

function fieldsOf(entry: TarEntry, mtimeSeconds: number): Fields {
  const { kind, path, mode, uid, gid } = entry
  const name = kind === 'directory' ? `${path}/` : path
  const link = 'target' in entry ? entry.target : ''
  const size = 'size' in entry ? entry.size : 0
  return { type: kind, name, link, mode, uid, gid, size, mtimeSeconds }
}

/** Names that are not plain ASCII go here too: in ustar's own fields their meaning depends on the reader. */
function paxRecords({ name, link, uid, gid, size }: Fields): string[] {
  return [
    ...(fitsName(name) ? [] : [paxRecord('path', name)]),
    ...(fitsName(link) ? [] : [paxRecord('linkpath', link)]),
    ...(size <= LARGEST_SIZE ? [] : [paxRecord('size', String(size))]),
    ...(uid <= LARGEST_ID ? [] : [paxRecord('uid', String(uid))]),
    ...(gid <= LARGEST_ID ? [] : [paxRecord('gid', String(gid))]),
  ]
}

function fitsName(name: string): boolean {
  const length = Buffer.byteLength(name)
  return length <= NAME_BYTES && length === name.length
}

/** A record starts with its own length, digits of the length included. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`
  const bytes = Buffer.byteLength(rest)
  let length = bytes
  while (bytes + String(length).length !== length) length = bytes + String(length).length
  return `${length}${rest}`
}

function ustarBlock(fields: Fields): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES)
  block.write(asciiPart(fields.name), 0)
  writeOctal(block, fields.mode, 100, 8)
  writeOctal(block, fields.uid <= LARGEST_ID ? fields.uid : 0, 108, 8)
  writeOctal(block, fields.gid <= LARGEST_ID ? fields.gid : 0, 116, 8)
  writeOctal(block, fields.size <= LARGEST_SIZE ? fields.size : 0, 124, 12)
  writeOctal(block, fields.mtimeSeconds, 136, 12)
  block.write(typeFlags[fields.type], 156)
  block.write(asciiPart(fields.link), 157)
  block.write('ustar\x0000', 257)
  writeOctal(block, 0, 329, 8) // device numbers: no entry has any, but readers expect digits
  writeOctal(block, 0, 337, 8)
  return withChecksum(block)
}

/** What a reader without pax would see of a name: shortened, with `_` for everything beyond ASCII. */
function asciiPart(name: string): string {
  return name.slice(0, NAME_BYTES).replace(/\P{ASCII}/gu, '_')
}

function writeOctal(block: Buffer, value: number, offset: number, width: number): void {
  block.write(value.toString(8).padStart(width - 1, '0'), offset)
}

/** The sum over the block, with spaces where the sum itself will be. */
function withChecksum(block: Buffer): Buffer {
  block.write(' '.repeat(8), 148)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}
