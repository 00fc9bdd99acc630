import type { FastifyReply } from 'fastify'
import type { Problem } from '../../problems.ts'

/** Sends an error in the format of the address: OpenAI errors below `/v1`, otherwise problem details. */
export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  const isTheirs = /^\/v1(?:[/?]|$)/.test(reply.request.url)
  return reply
    .code(problem.status)
    .type(isTheirs ? 'application/json' : 'application/problem+json')
    .serializer(JSON.stringify)
    .send(isTheirs ? openAiError(problem) : problem)
}

export function openAiError({ detail: message, code, status }: Problem) {
  return { error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error', param: null, code } }
}
