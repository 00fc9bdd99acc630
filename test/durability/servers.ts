import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { createServer as createHttpServer, type Server } from 'node:http'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createRandom, type Random } from '../support/random.ts'
import { createCliWorld, type CliWorld, type Running } from '../cli/support.ts'
import { createOwnDatabase } from '../support/postgres.ts'

/** Results of runs while the API and worker processes were killed in turn. */
export interface ServersTally {
  /** Reasons of repeated approvals. */
  readonly asked: readonly string[]
  readonly kills: number
  /** Accepted runs. */
  readonly runs: number
  /** Streams that were lost and resumed. */
  readonly reconnects: number
  readonly approvals: number
  /** Approved calls that arrived. */
  readonly effects: number
  /** Calls that runs report as possibly arrived. */
  readonly inDoubt: number
  /** Faults: lost runs, gaps, duplicate entries, duplicate effects. */
  readonly faults: readonly string[]
}

interface Settings {
  /** Superuser of a PostgreSQL. */
  readonly postgresUrl: string
  /** Duration of the kills in milliseconds, at least until each process was killed once. Accepted runs are awaited. */
  readonly ms: number
  /** Maximum time between two kills. */
  readonly killEveryMs: number
  readonly clients: number
  readonly seed: number
  readonly say?: (line: string) => void
}

const TIMEOUT_MS = 150_000
const ROLES = ['api', 'worker', 'api', 'worker'] as const

/** Two API processes and two workers on one PostgreSQL, each killed in turn (SIGKILL) while clients ask, follow and decide. */
export async function soakServers(settings: Settings): Promise<ServersTally> {
  const { postgresUrl, ms, killEveryMs, clients, seed, say = () => undefined } = settings
  const random = createRandom(seed)
  const world = await createCliWorld()
  const shop = await startShop()
  await writeFile(
    join(world.folder, 'tutti.config.yaml'),
    `apis: [{ catalogue: '${shop.url}/openapi.json', baseUrl: '${shop.url}' }]\n`,
  )
  const databaseUrl = await createOwnDatabase(postgresUrl)
  const env = { DATABASE_URL: databaseUrl, TUTTI_SECRET_KEY: '5'.repeat(64) }
  const processes: { running: Running; port: number }[] = []
  const balancer = await startBalancer(random, () =>
    ROLES.flatMap((role, i) => (role === 'api' ? processes[i]!.port : [])),
  )
  const office = new Office(balancer.url, shop.arrived, random)
  try {
    for (const role of ROLES) processes.push(await serve(world, role, env))
    const until = performance.now() + ms
    let kills = 0
    const isOver = (): boolean => performance.now() >= until && kills >= ROLES.length
    const killing = (async () => {
      for (let i = 0; !isOver(); i = (i + 1) % ROLES.length) {
        await sleep(random.int(200, killEveryMs))
        processes[i]!.running.child.kill('SIGKILL')
        await processes[i]!.running.done
        kills++
        say(`${kills} kills, ${office.inWords()}`)
        processes[i] = await serve(world, ROLES[i]!, env)
      }
    })()
    const asking = Array.from({ length: clients }, async () => {
      while (!isOver()) await office.once()
    })
    await Promise.all([killing, ...asking])
    return { kills, ...office.tally() }
  } finally {
    balancer.close()
    for (const { running } of processes) running.child.kill('SIGKILL')
    await Promise.all(processes.map(({ running }) => running.done))
    shop.server.close()
    await world.close()
  }
}

async function serve(world: CliWorld, role: string, env: Readonly<Record<string, string>>) {
  const running = world.start(['serve', '--role', role, '--port', '0'], { env })
  const said = await running.saidOut(/http:\/\/127\.0\.0\.1:\d+/)
  return { running, port: Number(/127\.0\.0\.1:(\d+)/.exec(said)![1]) }
}

/** Forwards each connection to a random running server, like a load balancer. */
async function startBalancer(random: Random, ports: () => readonly number[]) {
  const server = createServer((from) => {
    const to = connect(random.pick(ports()), '127.0.0.1')
    const end = (): void => {
      from.destroy()
      to.destroy()
    }
    for (const socket of [from, to]) socket.on('error', end).on('close', end)
    from.pipe(to).pipe(from)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

/** An API whose orders can be cancelled; counts each cancellation. */
async function startShop(): Promise<{
  readonly url: string
  readonly server: Server
  readonly arrived: Map<number, number>
}> {
  const arrived = new Map<number, number>()
  const server = createHttpServer((request, response) => {
    const answer = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    const [, id] = /^\/orders\/(\d+)\/cancel$/.exec(request.url ?? '') ?? []
    if (request.url === '/openapi.json') return answer(200, openApi())
    if (request.method !== 'POST' || id === undefined) return answer(404, { error: 'none' })
    arrived.set(Number(id), (arrived.get(Number(id)) ?? 0) + 1)
    // Some processes die while they wait for it.
    setTimeout(() => answer(200, { id: Number(id), status: 'cancelled' }), 200)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, server, arrived }
}

function openApi(): object {
  return {
    openapi: '3.1.0',
    info: { title: 'shop', version: '1' },
    servers: [{ url: '/' }],
    paths: {
      '/orders/{orderId}/cancel': {
        post: {
          summary: 'Cancel an order',
          operationId: 'cancelOrder',
          tags: ['Orders'],
          parameters: [{ name: 'orderId', in: 'path', required: true, schema: { type: 'integer' } }],
          responses: { 200: { description: 'The cancelled order' } },
        },
      },
    },
  }
}

interface Entry {
  readonly type: string
  readonly seq?: number
  readonly approvalId?: string
  readonly reason?: string
}

/** Asks questions, follows runs, decides approvals, and counts the results. */
class Office {
  private readonly url: string
  private readonly arrived: ReadonlyMap<number, number>
  private readonly random: Random
  private readonly faults: string[] = []
  private readonly counts = { runs: 0, reconnects: 0, approvals: 0, effects: 0, inDoubt: 0 }
  /** Reasons of repeated approvals. */
  private readonly asked: string[] = []
  private orders = 100

  constructor(url: string, arrived: ReadonlyMap<number, number>, random: Random) {
    this.url = url
    this.arrived = arrived
    this.random = random
  }

  inWords(): string {
    return `${JSON.stringify(this.counts)}, faults: ${this.faults.length}`
  }

  tally() {
    return { ...this.counts, asked: this.asked, faults: this.faults }
  }

  /** One question from its start to its end. */
  async once(): Promise<void> {
    const isChange = this.random.chance(0.4)
    const [a, b, order] = [this.random.int(11, 99), this.random.int(11, 99), ++this.orders]
    const question = isChange ? `POST /orders/${order}/cancel` : `What is ${a} times ${b}?`
    const patience = AbortSignal.timeout(TIMEOUT_MS)
    let runId = '(not accepted)'
    try {
      const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() }
      const body = JSON.stringify({ question })
      ;({ runId } = await this.json<{ runId: string }>(patience, '/runs', { method: 'POST', headers, body }))
      this.counts.runs++
      await this.follow(runId, patience)
      const found = await this.json<{ run: { status: string } }>(patience, `/runs/${runId}`)
      const shown = JSON.stringify(found)
      if (found.run.status !== 'finished') this.faults.push(`${runId} "${question}" is ${shown}`)
      else if (isChange) this.look(order, runId, shown)
      else if (!shown.replaceAll(/[,\s\u202F\u00A0]/g, '').includes(String(a * b)))
        this.faults.push(`${runId} "${question}" came to ${shown}`)
    } catch (thrown) {
      this.faults.push(`${runId} "${question}" was lost: ${String(thrown)}`)
    }
  }

  private look(order: number, runId: string, shown: string): void {
    const times = this.arrived.get(order) ?? 0
    this.counts.effects += times
    const isInDoubt = /may have|not known|unknown|in doubt|whether/i.test(shown)
    if (isInDoubt) this.counts.inDoubt++
    if (times > 1) this.faults.push(`${runId}: order ${order} was cancelled ${times} times`)
    if (times === 0 && !isInDoubt) this.faults.push(`${runId}: order ${order} was approved and not cancelled: ${shown}`)
  }

  /** Reads the log to its end, entry by entry, and reconnects after a lost connection. Decides all approvals. */
  private async follow(runId: string, patience: AbortSignal): Promise<void> {
    let last = 0
    let lastId: string | undefined
    const decisions: Promise<void>[] = []
    for (let isOver = false; !isOver;) {
      try {
        const headers = { accept: 'text/event-stream', ...(lastId === undefined ? {} : { 'last-event-id': lastId }) }
        const response = await fetch(`${this.url}/runs/${runId}/events?format=log`, { headers, signal: patience })
        if (response.status === 204) break
        if (!response.ok) throw new Error(`status ${response.status}`)
        for await (const { id, entry } of entriesOf(response.body!)) {
          lastId = id ?? lastId
          if (entry.seq === undefined) continue
          if (entry.seq <= last) this.faults.push(`${runId}: entry ${entry.seq} came again after ${last}`)
          if (entry.seq > last + 1) this.faults.push(`${runId}: entry ${entry.seq} came after ${last}`)
          last = Math.max(last, entry.seq)
          if (entry.type === 'approval.requested') {
            // The user denies a repetition of a call that may already have been made.
            const isAgain = decisions.length > 0
            if (isAgain) this.asked.push(entry.reason ?? '')
            if (isAgain && !/may already have happened/.test(entry.reason ?? ''))
              this.faults.push(`${runId}: asked again, because ${entry.reason}`)
            decisions.push(this.decide(entry.approvalId!, isAgain ? 'denied' : 'approved', patience))
          }
          if (/^run\.(?:finished|failed|cancelled)$/.test(entry.type)) isOver = true
        }
      } catch (thrown) {
        if (patience.aborted) throw thrown
        this.counts.reconnects++
        await sleep(100)
      }
    }
    await Promise.all(decisions)
  }

  /** Sent twice in parallel, as by two users. */
  private async decide(approvalId: string, decision: 'approved' | 'denied', patience: AbortSignal): Promise<void> {
    this.counts.approvals++
    const body = JSON.stringify({ decision })
    const one = () =>
      this.json(patience, `/approvals/${encodeURIComponent(approvalId)}/decide`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
    await Promise.all([one(), one()])
  }

  /** Repeated until a process answers; `409` means that it was decided before. */
  private async json<T>(patience: AbortSignal, path: string, init: RequestInit = {}): Promise<T> {
    for (;;) {
      try {
        const response = await fetch(`${this.url}${path}`, { ...init, signal: patience })
        const body = (await response.json()) as T
        if (response.ok || response.status === 409) return body
        if (response.status < 500) throw new TypeError(`${path} was refused: ${JSON.stringify(body)}`)
      } catch (thrown) {
        if (patience.aborted || /was refused/.test(String(thrown))) throw thrown
      }
      await sleep(100)
    }
  }
}

async function* entriesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<{ id: string | undefined; entry: Entry }> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of body as unknown as AsyncIterable<Uint8Array>) {
    const blocks = (rest + decoder.decode(piece, { stream: true })).split('\n\n')
    rest = blocks.pop()!
    for (const block of blocks) {
      const data = /^data: ?(.*)$/m.exec(block)?.[1]
      if (data !== undefined) yield { id: /^id: ?(.*)$/m.exec(block)?.[1], entry: JSON.parse(data) as Entry }
    }
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
