import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { extname, join, sep } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Resource } from '../context.ts'
import { access } from '../access.ts'

/** Content security policy of the page: only resources of this server. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

const PAGE = '/index.html'
/** Page for missing pages of the guide. */
const NO_PAGE = '/guide/not-found.html'

/** API paths that users may nevertheless open in a browser. */
const FOR_PROGRAMS =
  /^\/(?:openapi\.json|health|ready|guide|v1|mcp|session|conversations\/[^/]+\/export|documents\/[^/]+\/file|runs\/[^/]+\/files|people\/[^/]+\/export)(?:\/|$)/

interface File {
  readonly body: Buffer
  /** Compressed on first request; absent if compression does not help. */
  readonly gzipped?: () => Promise<Buffer>
  readonly type: string
  readonly etag: string
}

/** Folder of the built web app; the same path from the sources and from the build. */
const BUILT = join(import.meta.dirname, '..', '..', '..', 'dist', 'web')

/** Whether the web app was built. */
export function hasWebApp(): boolean {
  return existsSync(join(BUILT, PAGE))
}

/** Serves the web app from memory: no requested path is looked up on disk. */
export function web(folder = BUILT): Resource {
  return async ({ server }) => {
    const open = { config: access.public, schema: { hide: true } } as const
    const files = filesOf(folder)
    for (const [path, file] of files) {
      server.get(addressOf(path), open, (request, reply) => send(file, path, request, reply))
    }
    const none = files.find(([path]) => path === NO_PAGE)?.[1]
    if (none === undefined) return
    server.get('/guide/*', open, (request, reply) => {
      const [path = ''] = request.url.split('?', 1)
      // The address was typed with a trailing slash.
      const isFolder = files.some(([file]) => `${addressOf(file)}/` === path)
      return isFolder ? reply.redirect(path.slice(0, -1), 308) : send(none, NO_PAGE, request, reply.code(404))
    })
  }
}

/** URLs of the guide have no file extension. */
function addressOf(path: string): string {
  return path.startsWith('/guide/') ? path.replace(/(?:\/index)?\.html$/, '') : path
}

/**
 * Routes browser navigations to the web app, which shows the content of the address. Its scripts request the same
 * address and get the data.
 */
export function pageFor({ method, url = '/', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): string {
  const [path = '/'] = url.split('?', 1)
  const mode = headers['sec-fetch-mode']
  const isOpened = mode === undefined ? /\btext\/html\b/.test(headers.accept ?? '') : mode === 'navigate'
  const isFile = extname(path) !== ''
  return method === 'GET' && isOpened && !isFile && !FOR_PROGRAMS.test(path) ? PAGE : url
}

async function send({ body, gzipped, type, etag }: File, path: string, request: FastifyRequest, reply: FastifyReply) {
  // File names under /assets/ contain a hash of their content.
  const isFixed = path.startsWith('/assets/')
  reply.headers({
    'cache-control': isFixed ? 'public, max-age=31536000, immutable' : 'no-cache',
    'content-security-policy': POLICY,
    vary: 'accept-encoding, accept, sec-fetch-mode',
    etag,
    // Search engines must not index shared links.
    ...(path === PAGE ? { 'x-robots-tag': 'noindex' } : {}),
  })
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  const isSmall = gzipped !== undefined && /\bgzip\b/.test(String(request.headers['accept-encoding']))
  if (isSmall) reply.header('content-encoding', 'gzip')
  return reply.type(type).send(isSmall ? await gzipped() : body)
}

function filesOf(folder: string): [path: string, file: File][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const place = join(entry.parentPath, entry.name)
      const body = readFileSync(place)
      const path = `/${place.slice(folder.length + 1).replaceAll(sep, '/')}`
      const type = TYPES[extname(entry.name)] ?? 'application/octet-stream'
      const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
      // Fonts and other binary files are compressed already.
      return [path, { body, type, etag, ...(/^text|svg|json/.test(type) ? { gzipped: gzippedOnce(body) } : {}) }]
    })
}

function gzippedOnce(body: Buffer): () => Promise<Buffer> {
  let packed: Promise<Buffer> | undefined
  return () => (packed ??= promisify(gzip)(body))
}
