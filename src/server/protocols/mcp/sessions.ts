import { randomUUID } from 'node:crypto'
import type {
  EventStore,
  WebStandardStreamableHTTPServerTransport as HttpTransport,
} from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { Caller } from '../../../domain/caller.ts'
import type { Clock } from '../../../shared/clock.ts'
import type { Owner } from '../../../domain/events.ts'

/** Maximum of sessions per user; the one that was idle longest is closed. */
const MAX_PER_USER = 50
const MAX_IDLE_MS = 3_600_000
const MAX_EVENTS = 200
/** Delay after which a client reconnects a broken stream. */
const RETRY_MS = 1_000

interface Session {
  readonly owner: Owner
  /** The key or session that opened it. Another one may have fewer scopes, so it must not read the responses. */
  readonly holder: string
  readonly transport: HttpTransport
  usedAt: number
}

const holderOf = ({ userId, kind, keyId, sessionId }: Caller): string => [userId, kind, keyId, sessionId].join(' ')

/** The MCP sessions of this process. Sessions of other users, or of other keys of the same user, cannot be used. */
export class McpSessions {
  private readonly sessions = new Map<string, Session>()
  private readonly clock: Clock

  constructor(clock: Clock) {
    this.clock = clock
  }

  /** Undefined if there is no such session, or it belongs to another caller. */
  find(caller: Caller, sessionId: string): HttpTransport | undefined {
    this.endIdle()
    const session = this.sessions.get(sessionId)
    if (session?.holder !== holderOf(caller)) return undefined
    session.usedAt = this.clock.now()
    return session.transport
  }

  /** Creates a transport. Its session is stored with the client's first message. */
  async open(caller: Caller): Promise<HttpTransport> {
    const { WebStandardStreamableHTTPServerTransport: Transport } =
      await import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js')
    const transport = new Transport({
      sessionIdGenerator: randomUUID,
      eventStore: new LatestEvents(),
      retryInterval: RETRY_MS,
      onsessioninitialized: (sessionId) => {
        const { userId: owner } = caller
        const own = [...this.sessions.values()].filter((session) => session.owner === owner)
        const oldest = own.toSorted((a, b) => a.usedAt - b.usedAt)[0]
        if (own.length >= MAX_PER_USER) void oldest?.transport.close()
        this.sessions.set(sessionId, { owner, holder: holderOf(caller), transport, usedAt: this.clock.now() })
      },
    })
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK offers nothing else
    transport.onclose = () => void this.sessions.delete(transport.sessionId ?? '')
    return transport
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.sessions.values(), ({ transport }) => transport.close()))
  }

  private endIdle(): void {
    const before = this.clock.now() - MAX_IDLE_MS
    for (const { usedAt, transport } of this.sessions.values()) if (usedAt < before) void transport.close()
  }
}

/** The latest messages of a session, for clients that reconnect. */
class LatestEvents implements EventStore {
  private readonly events: { readonly id: string; readonly streamId: string; readonly message: JSONRPCMessage }[] = []
  private count = 0

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    const id = `${streamId}~${++this.count}`
    this.events.push({ id, streamId, message })
    if (this.events.length > MAX_EVENTS) this.events.shift()
    return id
  }

  async getStreamIdForEventId(id: string): Promise<string | undefined> {
    return this.events.find((event) => event.id === id)?.streamId
  }

  async replayEventsAfter(
    id: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const at = this.events.findIndex((event) => event.id === id)
    const { streamId } = this.events[at]!
    for (const event of this.events.slice(at + 1)) {
      // The event that opens a stream has no message.
      if (event.streamId === streamId && 'jsonrpc' in event.message) await send(event.id, event.message)
    }
    return streamId
  }
}
