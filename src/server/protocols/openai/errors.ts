import type { FastifyInstance } from 'fastify'
import type { Problem } from '../../problems.ts'

/** Errors are told as problems in one place; clients of OpenAI know them in another form, of whatever address below `/v1`. */
export function tellInTheirWords(server: Pick<FastifyInstance, 'addHook'>): void {
  server.addHook('onSend', async ({ url }, reply, payload) => {
    const isTheirs = /^\/v1(?:[/?]|$)/.test(url)
    if (!isTheirs || !String(reply.getHeader('content-type')).startsWith('application/problem+json')) return payload
    reply.type('application/json')
    return JSON.stringify(errorOf(JSON.parse(payload as string) as Problem))
  })
}

export function errorOf({ detail: message, code, status }: Problem) {
  return { error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error', param: null, code } }
}
