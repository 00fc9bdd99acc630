import type { FastifyRequest } from 'fastify'
import { quoteInexactNumbers } from '../shared/exact-number.ts'
import { TuttiError } from '../domain/errors.ts'
import type { Server } from './context.ts'

/** Maximum depth of a body. Later code processes values recursively; real requests are far below it. */
const MAX_LEVELS = 200

/**
 * Parses JSON bodies as Fastify does, but keeps numbers that a double cannot represent as text, and rejects bodies that
 * are nested too deeply.
 */
export function addJsonParser(server: Server): void {
  const parse = server.getDefaultJsonParser('error', 'error')
  const take = (
    request: FastifyRequest,
    body: string,
    done: (error: Error | null, body?: unknown) => void,
  ): unknown => {
    if (!isDeep(body)) {
      return parse(request, body, (error, value) => {
        const exact = error === null ? quoteInexactNumbers(body) : body
        return exact === body ? done(error, value) : parse(request, exact, done)
      })
    }
    const message = `Lists and objects of a body may be nested at most ${MAX_LEVELS} levels deep.`
    return done(new TuttiError('InvalidRequest', message))
  }
  server.removeContentTypeParser('application/json')
  server.addContentTypeParser('application/json', { parseAs: 'string' }, take)
}

const [QUOTE, BACKSLASH] = ['"'.charCodeAt(0), '\\'.charCodeAt(0)]
const OPENING = new Set(['[', '{'].map((mark) => mark.charCodeAt(0)))
const CLOSING = new Set([']', '}'].map((mark) => mark.charCodeAt(0)))

/** Checks the brackets before parsing. Invalid JSON is rejected by the parser. */
function isDeep(text: string): boolean {
  let level = 0
  let isQuoted = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) isQuoted = !isQuoted
    else if (isQuoted) i += code === BACKSLASH ? 1 : 0
    else if (CLOSING.has(code)) level--
    else if (OPENING.has(code) && ++level > MAX_LEVELS) return true
  }
  return false
}
