import type { Random } from '../../support/random.ts'
import type { Wire } from './send.ts'
import { oddText, oddValue, spoilt, Values, type Pool, type Schema } from './values.ts'

/** The used part of an OpenAPI document. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface Described {
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema: Schema }[]
  readonly responses?: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: object }>> }>
  >
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

export interface Operation extends Described {
  readonly method: string
  readonly path: string
}

/** Every documented operation of a server, and some undocumented ones. */
export function operationsOf({ paths }: Document): readonly Operation[] {
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({ ...one, method: method.toUpperCase(), path })),
  )
  return [...described, { method: 'GET', path: '/openapi.json' }]
}

export interface Fuzzed {
  readonly operation: string
  /** The documented operation, if the request matches one. */
  readonly described?: Operation
  readonly kind: Kind
  readonly wire: Wire
}

/** `unkept`: a valid request with texts that no database can store. */
const KINDS = { fitting: 6, values: 7, unkept: 2, body: 2, path: 2, method: 2, headers: 2, wire: 1 } as const
export type Kind = keyof typeof KINDS

const METHODS = ['HEAD', 'OPTIONS', 'TRACE', 'PUT', 'PATCH', 'DELETE', 'POST', 'GET', 'PROPFIND', 'MKCOL', 'QUERY']

const MULTIPART = 'multipart/form-data'
const BOUNDARY = 'edge'

/** The request of a seed, of any kind, for any operation. */
export class Requests {
  private readonly random: Random
  private readonly operations: readonly Operation[]
  private readonly right: Values
  private readonly wrong: Values
  private readonly pool: Pool
  private kind: Kind = 'fitting'

  constructor(document: Document, random: Random, pool: Pool) {
    this.random = random
    this.pool = pool
    this.operations = operationsOf(document)
    this.right = new Values(random, pool, document.components.schemas, 0)
    this.wrong = new Values(random, pool, document.components.schemas, 0.12)
  }

  /**
   * @param keys credentials of the requests; some have none
   * @param i its number: the first requests are a valid one for each operation
   */
  one(keys: readonly string[], i: number): Fuzzed {
    const { random } = this
    const operation = this.operations[i] ?? random.pick(this.operations)
    const anyKind = random.weighted(Object.keys(KINDS) as Kind[], (one) => KINDS[one])
    const kind = i < this.operations.length ? 'fitting' : anyKind
    this.kind = kind
    const name = `${operation.method} ${operation.path}`
    const key = random.chance(0.96)
      ? random.pick([keys[0]!, ...keys])
      : random.pick(['', 'Bearer x', 'Basic eDp5', 'Bearer'])
    const headers: [string, string][] = [
      ['host', '127.0.0.1'],
      ['connection', 'close'],
      ...(key === '' ? [] : [['authorization', key] as [string, string]]),
    ]
    if (kind === 'wire') return { operation: name, kind, wire: this.broken(operation, headers) }
    const values = kind === 'values' ? this.wrong : this.right
    const method = kind === 'method' ? random.pick(METHODS) : operation.method
    const path = kind === 'path' ? this.oddPath(operation.path) : this.path(operation, values)
    const [type, body] = kind === 'body' ? this.oddBody() : this.body(operation, values)
    const more = kind === 'headers' ? this.oddHeaders() : []
    const given = new Set(more.map(([one]) => one))
    const streams: [string, string][] =
      operation.path === '/mcp' ? [['accept', 'application/json, text/event-stream']] : []
    const length: [string, string][] =
      body === undefined ? streams : [...streams, ['content-length', String(body.length)], ['content-type', type]]
    const all = [...[...headers, ...length].filter(([one]) => !given.has(one)), ...more]
    const isFor = operation.responses !== undefined && ['fitting', 'values', 'unkept', 'body', 'headers'].includes(kind)
    const wire = { method, path, headers: all, ...(body && { body }) }
    return { operation: name, kind, ...(isFor ? { described: operation } : {}), wire }
  }

  private path({ path, parameters = [] }: Operation, values: Values): string {
    const { random, pool } = this
    const schemaOf = (name: string): Schema => parameters.find((one) => one.name === name)?.schema ?? {}
    const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
      const known = pool.of(name, random)
      const value = known !== undefined && random.chance(0.7) ? known : values.of(schemaOf(name), name)
      return encoded(this.text(value)) || '-'
    })
    const query = parameters
      .filter(({ in: where }) => where === 'query' && random.chance(0.25))
      .map(({ name, schema }) => {
        const value = values.of(schema, name)
        return `${encoded(name)}=${encoded(this.text(value))}`
      })
    return query.length === 0 ? filled : `${filled}?${query.join('&')}`
  }

  private text(value: unknown): string {
    return this.perhapsSpoilt(typeof value === 'string' ? value : JSON.stringify(value)) as string
  }

  private perhapsSpoilt(value: unknown): unknown {
    const { kind, random } = this
    return kind === 'unkept' && typeof value === 'string' && random.chance(0.5) ? spoilt(value, random) : value
  }

  private oddPath(path: string): string {
    const { random } = this
    const plain = path.replaceAll(/\{\w+\}/g, 'x')
    return random.pick([
      `${plain}/`,
      `/${plain}`,
      `${plain}//`,
      `${plain}/../..${plain}`,
      `${plain}/%2e%2e/%2e%2e/etc/passwd`,
      `${plain}%00`,
      `${plain}%`,
      `${plain}%ff%fe`,
      `${plain}?${'a=b&'.repeat(2_000)}`,
      `${plain}?limit=1&limit=2&limit[]=3&__proto__[x]=1&constructor=2`,
      `${plain}?cursor=${Buffer.from('{"at":1e999,"id":null}').toString('base64url')}`,
      `${plain}?cursor=%ff&limit=%00&search=%00`,
      `${plain}#x`,
      plain.toUpperCase(),
      plain.replaceAll('/', '%2f'),
      `http://elsewhere.example${plain}`,
      `${plain}/${'x'.repeat(5_000)}`,
      `${path.replaceAll(/\{\w+\}/g, '%c0%af')}`,
      `${path.replaceAll(/\{\w+\}/g, encoded(oddText(random)) || '-')}`,
      `*`,
      `${plain};x=1`,
    ])
  }

  private body({ method, path, requestBody }: Operation, values: Values): [type: string, body: Buffer | undefined] {
    if (method === 'POST' && ['/upload', '/attachments'].includes(path)) return this.form()
    if (method === 'POST' && path === '/mcp') return ['application/json', this.json(this.message(values))]
    const [{ schema = {} } = {}] = Object.values(requestBody?.content ?? {})
    if (requestBody === undefined) return ['', undefined]
    return ['application/json', this.json(values.of(schema, ''))]
  }

  private json(value: unknown): Buffer {
    return Buffer.from(JSON.stringify(value, (_key, one: unknown) => this.perhapsSpoilt(one)) ?? '')
  }

  /** Of the Model Context Protocol. */
  private message(values: Values): unknown {
    const { random } = this
    const of = (method: string, params: object) => ({ jsonrpc: '2.0', id: random.int(0, 9), method, params })
    const clientInfo = { name: 'a', version: '1' }
    const message = random.pick([
      of('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }),
      of('tools/list', {}),
      of('tools/call', { name: 'ask', arguments: { question: values.of({ type: 'string' }, 'question') } }),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
    ])
    return random.chance(0.3)
      ? { ...message, [random.pick(['id', 'method', 'params', 'x'])]: oddValue(random) }
      : message
  }

  private form(): [string, Buffer] {
    const { random } = this
    const name = random.pick([
      'a.txt',
      'b.md',
      'b.txt',
      'c.pdf',
      'd.docx',
      'e.csv',
      '../../f.txt',
      'g',
      '\u0000.txt',
      'h.html',
    ])
    const content = random.pick([
      Buffer.from(`Goods that arrive damaged are reported within ${random.int(1, 99)} days.`),
      Buffer.from('%PDF-1.7\nbroken'),
      Buffer.from('PK\u0003\u0004broken'),
      Buffer.from('a,b\n1,2\n'),
      Buffer.from(Array.from({ length: 500 }, () => random.int(0, 255))),
      Buffer.alloc(0),
    ])
    const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`
    const whole = `\r\n--${BOUNDARY}--\r\n`
    const end = random.pick([whole, whole, whole, whole, '\r\n', `\r\n--${BOUNDARY}\r\n`])
    return [`${MULTIPART}; boundary=${BOUNDARY}`, Buffer.concat([Buffer.from(head), content, Buffer.from(end)])]
  }

  private oddBody(): [string, Buffer] {
    const { random } = this
    const json = 'application/json'
    return random.pick<() => [string, Buffer]>([
      () => [json, Buffer.from('')],
      () => [json, Buffer.from('{')],
      () => [json, Buffer.from(`{"question":"${'x'.repeat(2_000_000)}"}`)],
      () => [json, Buffer.from(`{"question":"${'How many customers? '.repeat(40_000)}"}`)],
      () => [json, Buffer.from('['.repeat(100_000))],
      () => [json, Buffer.from(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`)],
      () => [json, Buffer.from(JSON.stringify(oddValue(random)))],
      () => [json, Buffer.from('{"__proto__":{"x":1},"question":"q"}')],
      () => [json, Buffer.from([0xff, 0xfe, 0x7b, 0, 0x7d, 0])],
      () => [json, Buffer.from('{"question":"\\ud800"}')],
      () => [json, Buffer.from([0x22, 0xc3, 0x28, 0x22])],
      () => [`${json}; charset=utf-16`, Buffer.from('{"question":"q"}', 'utf16le')],
      () => ['text/plain', Buffer.from('question=q')],
      () => ['application/x-www-form-urlencoded', Buffer.from('question=q&a[b]=c')],
      () => ['text/xml', Buffer.from('<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>')],
      () => [MULTIPART, Buffer.from('--\r\n')],
      () => [`${MULTIPART}; boundary=${'x'.repeat(3_000)}`, Buffer.from('--x--\r\n')],
      () => this.form(),
      () => [random.pick(['x', ';', 'application/json/json', `a/${'b'.repeat(500)}`]), Buffer.from('{}')],
    ])()
  }

  private oddHeaders(): [string, string][] {
    const { random } = this
    const all: [string, string][] = [
      ['host', 'elsewhere.example'],
      ['host', '127.0.0.1:99999'],
      ['content-type', 'application/json; charset=x'],
      ['content-encoding', 'gzip'],
      ['content-length', '0'],
      ['content-length', '99999999999'],
      ['content-length', '1'],
      ['transfer-encoding', 'chunked'],
      ['last-event-id', random.pick(['0', '1:0:5', '-1', '999999999999999', 'x', '1:1:1:1'])],
      ['idempotency-key', random.pick(['a', 'b'.repeat(300), 'é', '\u0001'])],
      ['x-request-id', random.pick(['ok', '<script>', 'x'.repeat(500)])],
      ['accept', random.pick(['text/event-stream', 'application/json, text/event-stream', 'x', '*/*;q=2'])],
      ['x-http-method-override', 'DELETE'],
      ['if-none-match', random.pick(['*', '"x"', 'W/"x"', '"'.repeat(400)])],
      ['if-match', '"x"'],
      ['range', random.pick(['bytes=0-', 'bytes=9-1', 'x'])],
      ['origin', random.pick(['http://elsewhere.example', 'null', '\u0007'])],
      ['sec-fetch-site', 'cross-site'],
      ['cookie', random.pick(['tutti_session=x', '='.repeat(500), 'a=b; a=c; \u0001'])],
      ['mcp-session-id', random.pick(['x', '', 'y'.repeat(500)])],
      ['mcp-protocol-version', random.pick(['2025-11-25', '1', ''])],
      ['x-forwarded-for', random.pick(['127.0.0.1', 'x', '::1, ::1'])],
      ['x-forwarded-proto', 'https'],
      ['expect', random.pick(['100-continue', 'x'])],
      ['upgrade', random.pick(['websocket', 'h2c'])],
      ['user-agent', 'x'.repeat(3_000)],
      ['x-many', 'y'.repeat(random.int(1, 30_000))],
    ]
    return Array.from({ length: random.int(1, 4) }, () => random.pick(all))
  }

  /** Invalid or unusual HTTP. */
  private broken({ method, path }: Operation, headers: readonly [string, string][]): Wire {
    const { random } = this
    const plain = path.replaceAll(/\{\w+\}/g, 'x')
    const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const text = random.pick([
      `${method} ${plain} HTTP/1.0\r\n${head}\r\n`,
      `${method} ${plain} HTTP/9.9\r\n${head}\r\n`,
      `${method} ${plain}\r\n\r\n`,
      `${method}  ${plain} HTTP/1.1\r\n${head}\r\n`,
      `NONSENSE ${plain} HTTP/1.1\r\n${head}\r\n`,
      `CONNECT ${plain} HTTP/1.1\r\n${head}\r\n`,
      `${method} ${plain} HTTP/1.1\n${head.replaceAll('\r', '')}\n`,
      `${method} ${plain} HTTP/1.1\r\nno colon\r\n${head}\r\n`,
      `${method} ${plain} HTTP/1.1\r\n folded\r\n${head}\r\n`,
      `${method} ${plain} HTTP/1.1\r\nconnection: close\r\n\r\n`,
      `${method} ${plain} HTTP/1.1\r\n${head}host: b\r\nhost: c\r\n\r\n`,
      `${method} ${plain} HTTP/1.1\r\n${head}x\u0000y: z\r\n\r\n`,
      `${method} ${plain} HTTP/1.1\r\n${head}x: \u0000\r\n\r\n`,
      `${method} ${plain} HTTP/1.1\r\n${head}${`x: ${'y'.repeat(100)}\r\n`.repeat(1_000)}\r\n`,
      `POST ${plain} HTTP/1.1\r\n${head}content-length: 2\r\ncontent-length: 3\r\n\r\n{}x`,
      `POST ${plain} HTTP/1.1\r\n${head}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      `POST ${plain} HTTP/1.1\r\n${head}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n`,
      `POST ${plain} HTTP/1.1\r\n${head}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
      `POST ${plain} HTTP/1.1\r\n${head}content-length: -1\r\n\r\n`,
      `GET ${plain} HTTP/1.1\r\n${head}\r\nGET ${plain} HTTP/1.1\r\n${head}\r\n`,
      `OPTIONS * HTTP/1.1\r\n${head}\r\n`,
      '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      '\u0000'.repeat(100),
    ])
    return { method, path: plain, headers, raw: Buffer.from(text, 'latin1') }
  }
}

/** Percent-encodes text, including lone surrogates. */
function encoded(text: string): string {
  return Array.from(text, (one) => (/\p{Cs}/u.test(one) ? halfEncoded(one) : encodeURIComponent(one)))
    .join('')
    .slice(0, 7_000)
}

/** A lone surrogate in the bytes that it would have in UTF-8. */
function halfEncoded(half: string): string {
  const code = half.charCodeAt(0)
  const bytes = [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]
  return bytes.map((byte) => `%${byte.toString(16)}`).join('')
}
