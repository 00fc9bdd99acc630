import { once } from 'node:events'
import { readdir, readlink } from 'node:fs/promises'
import { vi } from 'vitest'
import { createCliWorld, type CliWorld, type Running } from '../cli/support.ts'
import { saidOn } from '../cli/terminal.ts'
import { freePort } from './free-port.ts'
import { gate } from './waiting.ts'

/** Resources of a process after a full garbage collection. */
export interface Holding {
  readonly heapBytes: number
  /** Memory outside the heap that objects hold. */
  readonly externalBytes: number
  readonly residentBytes: number
  /** Open files, pipes and sockets; zero where there is no /proc. */
  readonly handles: number
  /** Active handles of the event loop, by type. */
  readonly resources: Readonly<Record<string, number>>
}

/** The published `tutti serve` in its own process, in a folder with the database `shop.sqlite`. */
export interface Served {
  readonly url: string
  readonly world: CliWorld
  readonly process: Running
  holding(): Promise<Holding>
  close(): Promise<void>
}

/** Runs in the server: answers each message with its resources. The channel does not keep the process alive. */
const WATCH = `
process.on('message', () => {
  for (let i = 0; i < 3; i++) gc()
  const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage()
  process.send({ heapUsed, external: external + arrayBuffers, rss, resources: process.getActiveResourcesInfo() })
})
process.channel.unref()`

interface Told {
  readonly heapUsed: number
  readonly external: number
  readonly rss: number
  readonly resources: readonly string[]
}

/** @param prepare creates configuration and accounts before the start */
export async function startServed(
  prepare: (world: CliWorld) => Promise<void> = async () => undefined,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const world = await createCliWorld()
  try {
    await prepare(world)
    const node = ['--expose-gc', '--import', `data:text/javascript,${encodeURIComponent(WATCH)}`]
    const server = world.start(['serve', '--port', '0', ...args], { node, env })
    const said = await server.saidOut(/at (http:\S+?)[:/]? /)
    const url = /http:\/\/(?:127\.0\.0\.1|0\.0\.0\.0):\d+/.exec(said)![0].replace('0.0.0.0', '127.0.0.1')
    const { child } = server
    return {
      url,
      world,
      process: server,
      async holding() {
        const answer = once(child, 'message') as Promise<[Told]>
        child.send('look')
        const [{ heapUsed, external, rss, resources }] = await answer
        const counts: Record<string, number> = {}
        for (const one of resources) counts[one] = (counts[one] ?? 0) + 1
        // Worker threads, which start and end as needed, have pipes and event descriptors of their own.
        const folder = `/proc/${child.pid}/fd`
        const names = await readdir(folder).catch(() => [])
        const targets = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')))
        const handles = targets.filter((target) => /^(?:\/|socket:)/.test(target)).length
        return { heapBytes: heapUsed, externalBytes: external, residentBytes: rss, handles, resources: counts }
      },
      async close() {
        child.kill('SIGTERM')
        await server.done
        await world.close()
      },
    }
  } catch (thrown) {
    await world.close()
    throw thrown
  }
}

/** `tutti serve` in the process of the test. It shares the loaded modules, and starts many times faster than a process. */
export async function serveHere(
  prepare: (world: CliWorld) => Promise<void> = async () => undefined,
  args: readonly string[] = [],
): Promise<Pick<Served, 'url' | 'world' | 'close'> & { /** Its error output so far. */ said(): string }> {
  const world = await createCliWorld()
  await prepare(world)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let said = (): string => ''
  const stopped = gate()
  const stays = (text: () => string) => ((said = text), stopped.promise)
  const terminal = { folder: world.folder, columns: 100, isTTY: false, stays }
  const done = saidOn(terminal, ['serve', '--port', String(port), ...args])
  const listens = vi.waitUntil(() => fetch(url).then(Boolean, () => false), { timeout: 60_000 })
  await Promise.race([listens, done.then((outcome) => Promise.reject(new Error(JSON.stringify(outcome))))])
  return {
    url,
    world,
    said: () => said(),
    async close() {
      stopped.open()
      await done
      await world.close()
    },
  }
}
