import { z } from 'zod'
import type { HttpClient, HttpResponse } from '../../http/client.ts'
import { mailError } from '../errors.ts'
import type { TokenSource } from './token.ts'

const messageRef = z.object({ id: z.string(), threadId: z.string().optional() })
const messageList = z.object({ messages: z.array(messageRef).default([]) })
const draftList = z.object({ drafts: z.array(z.object({ id: z.string(), message: messageRef })).default([]) })
const rawMessage = messageRef.extend({ raw: z.string(), labelIds: z.array(z.string()).default([]) })
const listedMessage = messageRef.extend({
  snippet: z.string().default(''),
  internalDate: z.string().optional(),
  payload: z
    .object({
      mimeType: z.string().default(''),
      headers: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
    })
    .prefault({}),
})
const draft = z.object({ id: z.string(), message: messageRef })

export type RawGmail = z.output<typeof rawMessage>
export type ListedGmail = z.output<typeof listedMessage>

const LIST_HEADERS = ['From', 'Reply-To', 'To', 'Cc', 'Subject', 'Date']

/** The calls of the Gmail API (v1) that are used here, typed. */
export interface GmailApi {
  /** Ids, newest first. `q` is Gmail's search syntax. */
  messages(q: string, limit: number, signal?: AbortSignal): Promise<readonly string[]>
  /** The header of a mail for a list; undefined if there is none with this ID. */
  listed(id: string, signal?: AbortSignal): Promise<ListedGmail | undefined>
  /** The whole mail; undefined if there is none with this ID. */
  message(id: string, signal?: AbortSignal): Promise<RawGmail | undefined>
  drafts(q: string): Promise<z.output<typeof draftList>['drafts']>
  createDraft(raw: Buffer, threadId?: string): Promise<z.output<typeof draft>>
  /** Sends a draft, which removes it; undefined if there is none with this ID. */
  sendDraft(id: string): Promise<z.output<typeof messageRef> | undefined>
}

const MAX_REPLY_BYTES = 40_000_000

export function gmailApi(http: HttpClient, baseUrl: string, tokens: TokenSource): GmailApi {
  const exchange = async (
    method: string,
    path: string,
    { body, signal }: { body?: unknown; signal?: AbortSignal | undefined },
    isFresh = false,
  ): Promise<HttpResponse> => {
    const token = await tokens.token(isFresh, signal)
    const response = await http.request({
      method,
      url: `${baseUrl}/gmail/v1/users/me${path}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json' },
      maxBytes: MAX_REPLY_BYTES,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
    if (response.status === 401 && !isFresh) return exchange(method, path, { body, signal }, true)
    return response
  }
  const call = async <T>(
    schema: z.ZodType<T>,
    method: string,
    path: string,
    more: { body?: unknown; signal?: AbortSignal | undefined } = {},
  ): Promise<T | undefined> => {
    const response = await exchange(method, path, more)
    if (response.status === 404) return undefined
    if (response.status >= 400) throw refusal(response)
    const parsed = schema.safeParse(jsonOf(response))
    if (parsed.success) return parsed.data
    throw mailError(`Gmail's answer to ${method} ${path.split('?', 1)[0]} cannot be read.`)
  }
  return {
    async messages(q, limit, signal) {
      const query = new URLSearchParams({ q, maxResults: String(limit) })
      const list = await call(messageList, 'GET', `/messages?${query}`, { signal })
      return (list?.messages ?? []).map(({ id }) => id)
    },
    listed(id, signal) {
      const query = new URLSearchParams({ format: 'metadata' })
      for (const name of LIST_HEADERS) query.append('metadataHeaders', name)
      return call(listedMessage, 'GET', `/messages/${encodeURIComponent(id)}?${query}`, { signal })
    },
    message: (id, signal) => call(rawMessage, 'GET', `/messages/${encodeURIComponent(id)}?format=raw`, { signal }),
    async drafts(q) {
      const list = await call(draftList, 'GET', `/drafts?${new URLSearchParams({ q, maxResults: '10' })}`)
      return list?.drafts ?? []
    },
    async createDraft(raw, threadId) {
      const message = { raw: raw.toString('base64url'), ...(threadId === undefined ? {} : { threadId }) }
      const created = await call(draft, 'POST', '/drafts', { body: { message } })
      if (created === undefined) throw mailError('Gmail did not take the draft: its conversation no longer exists.')
      return created
    },
    sendDraft: (id) => call(messageRef, 'POST', '/drafts/send', { body: { id } }),
  }
}

function refusal(response: HttpResponse): Error {
  const { status } = response
  const failure = z.object({ error: z.object({ message: z.string() }) }).safeParse(jsonOf(response))
  const reason = failure.success ? failure.data.error.message.slice(0, 200).replace(/\.$/, '') : `status ${status}`
  const hint =
    status === 401
      ? ' Grant access again and set the new token.'
      : status === 403
        ? ' The access needs the scopes gmail.readonly and gmail.compose.'
        : ''
  return mailError(`Gmail refused: ${reason}.${hint}`, { retryable: status === 429 || status >= 500 })
}

function jsonOf({ body }: HttpResponse): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return undefined
  }
}
