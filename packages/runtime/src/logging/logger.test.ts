import { HiddenText } from '@slurm-operator/kube'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseFlags } from '../flags/parse-flags.ts'
import { defaultLogSettings, type LogSettings } from './encode-line.ts'
import { parseLevel } from './level.ts'
import { createLogger, silentLogger, type Fields } from './logger.ts'
import { SecretValues } from './secret-values.ts'
import { encodeTime, timeEncodings } from './time-encoding.ts'
import { logSettingsFrom, zapFlags } from './zap-flags.ts'

const AT_MS = Date.parse('2030-01-02T03:04:05.678Z')

function start(settings: Partial<LogSettings> = {}, secrets = new SecretValues()) {
  const texts: string[] = []
  const log = createLogger({
    clock: { now: () => AT_MS },
    settings: { ...defaultLogSettings, ...settings },
    secrets,
    write: (line) => texts.push(line),
  })
  return { log, texts, lines: () => texts.map((text) => JSON.parse(text) as Record<string, unknown>) }
}

function lineOf(fields: Fields, secrets?: SecretValues): Record<string, unknown> {
  const { log, lines } = start({}, secrets)
  log.info('x', fields)
  return lines()[0] ?? {}
}

describe('logging prevents that', () => {
  test('a line lacks what people search for, or is more than one line', () => {
    const { log, texts } = start()
    const child = log.named('manager').named('nodeset').with({ controller: 'nodeset', namespace: 'a' })
    child.with({ name: 'b', reconcileID: 'i-d' }).info('done\nand "more"', { count: 3 })
    expect(texts).toEqual([
      '{"level":"info","ts":"2030-01-02T03:04:05.678Z","logger":"manager.nodeset","msg":"done\\nand \\"more\\"",' +
        '"controller":"nodeset","namespace":"a","name":"b","reconcileID":"i-d","count":3}\n',
    ])
  })

  test('the cause of an error is lost', () => {
    const { log, lines } = start()
    const root = new Error('connection refused')
    const error = new Error('Cannot list pods: no connection', { cause: new TypeError('bad', { cause: root }) })
    log.error('a pass failed', { error })
    log.info('less important', { error })
    expect(lines()).toMatchObject([
      {
        error: 'Cannot list pods: no connection',
        causes: ['TypeError: bad', 'connection refused'],
        stacktrace: expect.stringContaining('logger.test.ts'),
      },
      { error: 'Cannot list pods: no connection' },
    ])
    expect(lines()[1]).not.toHaveProperty('stacktrace')
  })

  test('errors that come in circles, in groups, or that are none at all', () => {
    const circle = new Error('a')
    circle.cause = new Error('b', { cause: circle })
    expect(lineOf({ error: circle })).toMatchObject({ error: 'a', causes: ['b'] })
    const group = new AggregateError([new Error('one'), 'two'], 'both')
    expect(lineOf({ error: group })).toMatchObject({ error: 'AggregateError: both', errors: ['one', 'two'] })
    expect(lineOf({ error: 'only text' })).toMatchObject({ error: 'only text' })
    expect(lineOf({ error: null })).toMatchObject({ error: 'something that is no error was thrown' })
    expect(lineOf({ nested: new Error('x', { cause: 'y' }) })).toMatchObject({ nested: { error: 'x', causes: ['y'] } })
  })

  test('a field takes the place of the level or the message', () => {
    expect(lineOf({ level: 'fine', msg: 'm', ts: 0 })).toMatchObject({
      level: 'info',
      msg: 'x',
      level_: 'fine',
      msg_: 'm',
      ts_: 0,
    })
  })

  test('values that JSON cannot hold end the pass that logs them', () => {
    const circle: Record<string, unknown> = { n: 10n, when: new Date(0), bytes: Buffer.from('abc'), no: undefined }
    circle['self'] = circle
    const bad = {
      get boom() {
        throw new Error('x')
      },
    }
    const fields = {
      circle,
      bad,
      f: () => 1,
      map: new Map([['k', new Set([1])]]),
      nan: Number.NaN,
      never: new Date(Number.NaN),
    }
    expect(lineOf(fields)).toMatchObject({
      circle: { n: '10', when: '1970-01-01T00:00:00.000Z', bytes: '<3 bytes>', self: '<circular>' },
      bad: '<unprintable>',
      f: '<function>',
      map: { k: [1] },
      nan: 'NaN',
      never: '<no time>',
    })
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.anything({ withBigInt: true, withDate: true, withMap: true })),
        (any) => void lineOf(any),
      ),
    )
  })

  test('one huge value fills the disk', () => {
    const { log, texts } = start()
    let deep: unknown = 'x'
    for (let n = 0; n < 50; n++) deep = [deep]
    log.info('x', { text: 'y'.repeat(1e6), items: Array.from({ length: 1e4 }, (_, n) => n), deep })
    expect(texts[0]?.length).toBeLessThan(20_000)
    expect(texts[0]).toContain('<too deep>')
    expect(texts[0]).toContain('<9900 more>')
  })

  test('a level that nobody asked for is written, or one that somebody did is not', () => {
    const shown = (level: LogSettings['level']) => {
      const { log, lines } = start({ level })
      for (const name of ['error', 'warn', 'info', 'debug', 'trace'] as const) log[name](name)
      return lines().map(({ msg }) => msg)
    }
    expect(shown('panic')).toEqual([])
    expect(shown('error')).toEqual(['error'])
    expect(shown('info')).toEqual(['error', 'warn', 'info'])
    expect(shown('trace')).toEqual(['error', 'warn', 'info', 'debug', 'trace'])
    expect(start().log.isEnabled('debug')).toBe(false)
    expect(silentLogger.isEnabled('error')).toBe(false)
  })

  test('on a terminal, a message of somebody else looks like lines of ours', () => {
    const { log, texts } = start({ encoder: 'console' })
    log.named('a').error('bad\nINFO all is well', { n: 1, error: new Error('why') })
    const [head, ...stack] = (texts[0] ?? '').split('\n')
    expect(head).toBe('2030-01-02T03:04:05.678Z\tERROR\ta\tbad\\nINFO all is well\t{"n":1,"error":"why"}')
    expect(stack[0]).toBe('Error: why')
  })
})

describe('logging shows no secret', () => {
  test('by the name of its field', () => {
    const line = lineOf({
      password: 'p1',
      headers: { Authorization: 'Basic abc', 'X-Auth-Token': 'kept', 'Set-Cookie': ['c'] },
      config: { 'access-token': 'p2', clientKeyData: 'p3', 'tls.key': 'p4', private_key: 'p5', token: '', jwt: null },
      secret: 'namespace/name',
    })
    expect(JSON.stringify(line)).not.toMatch(/p[1-5]|abc/)
    expect(line).toMatchObject({ secret: 'namespace/name', config: { token: '', jwt: null } })
  })

  test('in an object of kind Secret', () => {
    const data = { 'some.file': 'c2VjcmV0LXZhbHVl' }
    const line = lineOf({ object: { kind: 'Secret', metadata: { name: 'n' }, data, stringData: { a: 'plain' } } })
    expect(line).toMatchObject({
      object: { kind: 'Secret', metadata: { name: 'n' }, data: '<hidden>', stringData: '<hidden>' },
    })
    expect(lineOf({ object: { kind: 'ConfigMap', data } })).toMatchObject({ object: { data } })
  })

  test('of a value that knows to hide itself', () => {
    expect(lineOf({ value: new HiddenText('s3cr3t') })).toMatchObject({ value: '<hidden>' })
  })

  test('that looks like a token, wherever it is', () => {
    const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl'
    const { log, texts } = start()
    log.error(`got ${jwt}`, {
      url: 'https://user:pw12345@host/',
      error: new Error(`Bearer abc.def`, { cause: new Error(jwt) }),
    })
    expect(texts.join('')).not.toMatch(/eyJ|pw12345|abc\.def/)
  })

  test('that was registered, in any form it travels in, wherever it is', () => {
    const anyForm = fc.constantFrom(
      (text: string) => text,
      (text: string) => Buffer.from(text).toString('base64'),
      (text: string) => Buffer.from(text).toString('base64url'),
      (text: string) => encodeURIComponent(text),
    )
    const anyPlace = fc.constantFrom<(text: string) => { message: string; fields: Fields }>(
      (text) => ({ message: `a ${text} b`, fields: {} }),
      (text) => ({ message: 'm', fields: { [text]: 1 } }),
      (text) => ({ message: 'm', fields: { a: { b: [`x${text}y`] } } }),
      (text) => ({ message: 'm', fields: { error: new Error('o', { cause: new Error(text) }) } }),
    )
    const anySecret = fc
      .string({ minLength: 8, maxLength: 40, unit: 'grapheme' })
      .filter((text) => text.trim().length >= 8)
    fc.assert(
      fc.property(anySecret, anyForm, anyPlace, (secret, form, place) => {
        const secrets = new SecretValues()
        secrets.register(secret)
        const { log, lines } = start({}, secrets)
        const { message, fields } = place(form(secret))
        log.error(message, fields)
        expect(textsIn(lines()).filter((text) => text.includes(form(secret)))).toEqual([])
      }),
    )
  })

  test('although it is no text at all', () => {
    const secrets = new SecretValues()
    const key = Uint8Array.from({ length: 32 }, (_, index) => 255 - index)
    secrets.register(key)
    const told = ['base64', 'base64url'].map((form) => Buffer.from(key).toString(form as BufferEncoding))
    expect(secrets.hide(`key ${told.join(' and ')}`)).toMatch(/^key <hidden>=? and <hidden>$/)
  })

  test('although it was replaced, and the new one begins like the old one', () => {
    const secrets = new SecretValues()
    const forget = secrets.register('secret-1')
    secrets.register('secret-1')
    secrets.register('secret-1-longer')
    secrets.register('abc')
    expect(secrets.hide('secret-1-longer secret-1 abc')).toBe('<hidden> <hidden> abc')
    forget()
    forget()
    expect(secrets.hide('secret-1'), 'somebody else registered it too').toBe('<hidden>')
    expect(new SecretValues().hide('secret-1')).toBe('secret-1')
  })
})

/** All texts in a value, names of fields included. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => [name, ...textsIn(item)])
}

describe('the flags of logging', () => {
  const settings = (...words: string[]) => {
    const parsed = parseFlags(zapFlags, words)
    return parsed.kind === 'run' ? logSettingsFrom(parsed.values, parsed.given) : parsed
  }

  test('mean what they mean in other Kubernetes programs', () => {
    expect(settings()).toEqual({ level: 'info', encoder: 'json', timeEncoding: 'rfc3339', stacktraceLevel: 'error' })
    expect(settings('--zap-devel')).toMatchObject({ level: 'debug', encoder: 'console', stacktraceLevel: 'warn' })
    expect(settings('--zap-devel', '--zap-encoder=json', '--zap-log-level=error')).toMatchObject({
      level: 'error',
      encoder: 'json',
    })
    expect(settings('--zap-log-level=1')).toMatchObject({ level: 'debug' })
    expect(settings('--zap-log-level=5')).toMatchObject({ level: 'trace' })
    expect(settings('--zap-stacktrace-level=panic', '--zap-time-encoding=epoch')).toMatchObject({
      stacktraceLevel: 'panic',
      timeEncoding: 'epoch',
    })
    for (const wrong of ['0', '-1', 'loud', ''])
      expect(settings(`--zap-log-level=${wrong}`)).toMatchObject({ kind: 'wrong' })
    expect(parseLevel('INFO')).toBe('info')
  })

  test('know every way to write the time', () => {
    expect(timeEncodings.map((encoding) => encodeTime(AT_MS, encoding))).toEqual([
      1893553445.678,
      1893553445678,
      1893553445678000000,
      '2030-01-02T03:04:05.678+0000',
      '2030-01-02T03:04:05.678Z',
      '2030-01-02T03:04:05.678Z',
    ])
  })
})
