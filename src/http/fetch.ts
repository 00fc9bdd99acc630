import { checkBeforeProxy, systemLookup } from './connect.ts'
import { checkUrl, requestLine } from './check-url.ts'
import { createDispatcher } from './dispatcher.ts'
import { networkError, requestBlocked } from './errors.ts'
import { createPolicy, type HttpPolicyOptions } from './policy.ts'

const MAX_BYTES = 50_000_000

/**
 * A `fetch` with the operator's policy, for libraries that stream responses. It does not follow redirects: the caller
 * sends a new request, which is checked again.
 * @param maxBytes of one decompressed response
 */
export function createFetch(options: HttpPolicyOptions, maxBytes = MAX_BYTES): typeof fetch {
  const policy = createPolicy(options)
  const { proxy } = options
  let dispatcher: ReturnType<typeof createDispatcher> | undefined
  return async (input, init) => {
    const url = checkUrl(input instanceof Request ? input.url : String(input), policy)
    const requestText = requestLine(init?.method ?? 'GET', url)
    try {
      dispatcher ??= createDispatcher(policy, systemLookup, proxy)
      if (proxy !== undefined) await checkBeforeProxy(url, policy, systemLookup)
      const { fetch: send } = await import('undici')
      // Node.js and undici have separate, incompatible types for the same objects.
      const options = { ...init, redirect: 'manual', dispatcher: await dispatcher } as unknown
      const answer = (await send(url, options as Parameters<typeof send>[1])) as unknown as Response
      return limited(answer, requestText, maxBytes)
    } catch (thrown) {
      init?.signal?.throwIfAborted()
      throw networkError(thrown, requestText)
    }
  }
}

function limited(answer: Response, where: string, maxBytes: number): Response {
  const { body, status, statusText, headers } = answer
  if (body === null) return answer
  let remaining = maxBytes
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      remaining -= piece.length
      if (remaining < 0) controller.error(requestBlocked('length', `The answer to ${where} is too long.`))
      else controller.enqueue(piece)
    },
  })
  return new Response(body.pipeThrough(counter), { status, statusText, headers })
}
