import { z } from 'zod'
import type { Clock } from '../core/clock.ts'
import { baseUrlOf, type ProviderConfig } from './config.ts'

const PATIENCE_MS = 3_000

const listSchema = z.object({ data: z.array(z.object({ id: z.string() })) })

/**
 * Asks an OpenAI-compatible server which chat models it has. Embedding models are left out by their name, since the
 * list does not tell what a model is for.
 * @returns the names in the server's order, or why there are none
 */
export async function listModels(
  provider: ProviderConfig,
  io: { readonly fetch: typeof globalThis.fetch; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<readonly string[] | { readonly reason: string }> {
  const { name, apiKey, source } = provider
  const baseUrl = baseUrlOf(provider)
  const patience = new AbortController()
  io.signal.throwIfAborted()
  const cancelTimer = io.clock.timer(PATIENCE_MS, () => patience.abort())
  const failed = (what: string) => ({ reason: `${name} (${source}) ${what} at ${baseUrl}` })
  try {
    const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
    const response = await io.fetch(`${baseUrl}/models`, {
      headers,
      redirect: 'manual',
      signal: AbortSignal.any([patience.signal, io.signal]),
    })
    if (!response.ok) return failed(`does not list its models (${response.status})`)
    const list = listSchema.safeParse(await response.json())
    if (!list.success) return failed('does not answer as an OpenAI-compatible server')
    const names = list.data.data.map((model) => model.id).filter((id) => !/embed/i.test(id))
    return names.length === 0 ? failed('has no chat model') : names
  } catch (error) {
    if (io.signal.aborted) throw io.signal.reason
    return failed(error instanceof SyntaxError ? 'does not answer as an OpenAI-compatible server' : 'does not answer')
  } finally {
    cancelTimer()
  }
}
