import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom, type Random } from '../support/random.ts'
import { createCliWorld, type CliWorld, type Running } from '../cli/support.ts'
import { createOwnDatabase } from '../support/postgres.ts'
import { eventsIn } from '../support/sse.ts'

const TIMEOUT_MS = 150_000
/** Duration of the kills in milliseconds, at least until each process was killed once. Accepted runs are awaited. */
const KILLING_MS = 15_000
const MAX_PAUSE_MS = 1_500
const CLIENTS = 4
const ROLES = ['api', 'worker', 'api', 'worker'] as const

/**
 * Two API processes and two workers on one PostgreSQL, each killed in turn (SIGKILL) while clients ask, follow and decide.
 * @param postgresUrl superuser of a PostgreSQL
 */
export async function soakServers(postgresUrl: string, seed: number) {
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
    const until = performance.now() + KILLING_MS
    let kills = 0
    const isOver = (): boolean => performance.now() >= until && kills >= ROLES.length
    const killing = (async () => {
      for (let i = 0; !isOver(); i = (i + 1) % ROLES.length) {
        await sleep(random.int(200, MAX_PAUSE_MS))
        processes[i]!.running.child.kill('SIGKILL')
        await processes[i]!.running.done
        kills++
        processes[i] = await serve(world, ROLES[i]!, env)
      }
    })()
    const asking = Array.from({ length: CLIENTS }, async () => {
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
async function startShop() {
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
  const parameters = [{ name: 'orderId', in: 'path', required: true, schema: { type: 'integer' } }]
  const responses = { 200: { description: 'The cancelled order' } }
  const post = { summary: 'Cancel an order', operationId: 'cancelOrder', tags: ['Orders'], parameters, responses }
  return {
    openapi: '3.1.0',
    info: { title: 'shop', version: '1' },
    servers: [{ url: '/' }],
    paths: { '/orders/{orderId}/cancel': { post } },
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
  /** Lost runs, gaps, duplicate entries, duplicate effects. */
  private readonly faults: string[] = []
  /** Accepted runs, streams that were lost and resumed, approvals, approved calls that arrived or possibly arrived. */
  private readonly counts = { runs: 0, reconnects: 0, approvals: 0, effects: 0, inDoubt: 0 }
  /** Reasons of repeated approvals. */
  private readonly asked: string[] = []
  private orders = 100

  constructor(url: string, arrived: ReadonlyMap<number, number>, random: Random) {
    this.url = url
    this.arrived = arrived
    this.random = random
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
        for await (const { id, data } of eventsIn(response)) {
          const entry = data as unknown as Entry
          lastId = id === '' ? lastId : id
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
