import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { Readable } from 'node:stream'
import { DEMO_API_KEY, startDemoApi } from '../../examples/demo-api/server.ts'
import { createDemoDatabase } from '../../src/app/demo-data.ts'
import { builtProduct } from '../support/builds.ts'

export interface Outcome {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly out: string
  readonly err: string
}

interface Begun {
  /** Resolves when the text appears on standard error. */
  said(text: string | RegExp): Promise<string>
  /** Resolves when the text appears on standard output. */
  saidOut(text: string | RegExp): Promise<string>
  readonly done: Promise<Outcome>
  /** Resolves with the id of the first approval or question that it waits for. */
  approvalId(): Promise<string>
  /** Does what Ctrl-C does. */
  interrupt(): void
}

export interface Running extends Begun {
  readonly child: ChildProcess
  /** Kills the process without a warning. */
  kill(): Promise<Outcome>
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  /** Replaces the folder of the world. */
  readonly cwd?: string
  /** Options of Node.js. With them the process also receives messages. */
  readonly node?: readonly string[]
}

export interface CliWorld {
  /** Working folder of the commands, with `shop.sqlite`. */
  readonly folder: string
  readonly dataDir: string
  start(args: readonly string[], options?: RunOptions): Running
  /** Like `start`, but in the process of the test. Custom agents and tools then share that process. */
  begin(args: readonly string[], options?: Omit<RunOptions, 'node'>): Begun
  /** Runs in the process of the test, unless Node.js options are given. */
  run(args: readonly string[], options?: RunOptions): Promise<Outcome>
  /** Returns what the command prints with --json. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each test names what it reads
  json(args: readonly string[], options?: RunOptions): Promise<any>
  /** Starts `tutti serve` on a free port, and waits until it listens. */
  serve(args?: readonly string[], options?: RunOptions): Promise<Running & { readonly url: string }>
  /** The id of the newest run. */
  newestRun(): Promise<string>
  /** Ends processes that a failed test left, and deletes the folder. */
  close(): Promise<void>
}

/** The command line as it is published, in a folder of its own with a small database. @param product builds it */
export async function createCliWorld(product: () => Promise<string> = builtProduct): Promise<CliWorld> {
  const build = await product()
  const folder = await mkdtemp(join(tmpdir(), 'tutti-cli-'))
  const dataDir = join(folder, 'data')
  await createShop(join(folder, 'shop.sqlite'))
  const started = new Set<Running>()
  const script = join(build, 'dist', 'cli', 'main.js')
  // Excludes the developer's environment: no keys, no configuration, no colours.
  const environment = (more: RunOptions['env'] = {}): Record<string, string> => ({
    PATH: `${join(build, 'bin')}${delimiter}${process.env['PATH']}`,
    HOME: folder,
    TUTTI_DATA: dataDir,
    ...more,
  })
  const start = (args: readonly string[], { env, input, node, cwd = folder }: RunOptions = {}): Running => {
    const child = spawn(process.execPath, [...(node ?? []), script, ...args], {
      cwd,
      env: environment(env),
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', ...(node === undefined ? [] : ['ipc' as const])],
    })
    child.stdin?.end(input)
    const running = watch(child)
    started.add(running)
    void running.done.then(() => started.delete(running))
    return running
  }
  const world: CliWorld = {
    folder,
    dataDir,
    start,
    json: async (args, options) => JSON.parse((await world.run([...args, '--json'], options)).out),
    newestRun: async () => (await world.json(['runs', 'list', '--limit', '1'])).runs[0].runId,
    serve: async (args = ['--port', '0'], options) => {
      const server = start(['serve', ...args], options)
      const said = await server.saidOut(/at http:\/\/127\.0\.0\.1:\d+/)
      return { ...server, url: /http:\S+?:\d+/.exec(said)![0] }
    },
    begin: (args, { env, input, cwd = folder } = {}) => {
      const { write, end, begun } = watchOutput()
      let interrupt = (): void => undefined
      const keys = Readable.from(input === undefined ? [] : [Buffer.from(input)])
      const said = import('./terminal.ts').then(({ saidOn }) => {
        const onInterrupt = (listener: () => void): void => void (interrupt = listener)
        const terminal = { folder: cwd, columns: 100, isTTY: false, keys, env: environment(env) }
        return saidOn({ ...terminal, onText: write, onInterrupt }, args)
      })
      const done = said.then(({ code }) => {
        end(code, null)
        return begun.done
      })
      return { ...begun, done, interrupt: () => interrupt() }
    },
    run: (args, options = {}) => (options.node === undefined ? world.begin(args, options) : start(args, options)).done,
    async close() {
      for (const { child } of started) child.kill('SIGKILL')
      await Promise.all([...started].map(({ done }) => done))
      await rm(folder, { recursive: true, force: true })
    },
  }
  return world
}

/** A world with `brindlemoor.sqlite`, the database of the demo business, and its API. */
export async function createDemoWorld() {
  const world = await createCliWorld()
  const databasePath = join(world.folder, 'brindlemoor.sqlite')
  await createDemoDatabase(databasePath)
  const demo = await startDemoApi({ databasePath, port: 0 })
  return {
    ...world,
    demo,
    /** The options of a command that give it the API; its key is in `DEMO_ENV`. */
    api: ['--api', `${demo.url}/openapi.json`],
    async statusOf(order: number): Promise<unknown> {
      const response = await fetch(`${demo.url}/orders/${order}`, { headers: { 'x-api-key': DEMO_API_KEY } })
      return ((await response.json()) as Record<string, unknown>)['status']
    },
    async close(): Promise<void> {
      await demo.close()
      await world.close()
    },
  }
}
export const DEMO_ENV = { TUTTI_API_KEY: DEMO_API_KEY }

/** The variables that make a scripted model the default one. */
export const modelEnv = ({ url }: { readonly url: string }) => ({
  TUTTI_MODEL_URL: url,
  TUTTI_MODEL: 'compatible:scripted',
})

function watch(child: ChildProcess): Running {
  const { write, end, begun } = watchOutput()
  child.stdout!.setEncoding('utf8').on('data', (text: string) => write('out', text))
  child.stderr!.setEncoding('utf8').on('data', (text: string) => write('err', text))
  child.on('close', end)
  const kill = () => {
    child.kill('SIGKILL')
    return begun.done
  }
  return { ...begun, child, kill, interrupt: () => void child.kill('SIGINT') }
}

/** What a command has written, for tests that wait for a text. */
function watchOutput() {
  const said = { out: '', err: '' }
  let isOver = false
  const waiters = new Set<() => void>()
  const ring = (): void => {
    for (const check of waiters) check()
  }
  let resolve: (outcome: Outcome) => void
  const done = new Promise<Outcome>((settle) => (resolve = settle))
  const appeared = (which: 'out' | 'err') => (text: string | RegExp) =>
    new Promise<string>((found, reject) => {
      const check = (): void => {
        const isFound = typeof text === 'string' ? said[which].includes(text) : text.test(said[which])
        if (!isFound && !isOver) return
        waiters.delete(check)
        if (isFound) found(said[which])
        else reject(new Error(`It ended without saying "${String(text)}": ${said.err}${said.out}`))
      }
      waiters.add(check)
      check()
    })
  return {
    write(which: 'out' | 'err', text: string): void {
      said[which] += text
      ring()
    },
    end(code: number | null, signal: NodeJS.Signals | null): void {
      isOver = true
      ring()
      resolve({ code, signal, ...said })
    },
    begun: {
      said: appeared('err'),
      saidOut: appeared('out'),
      done,
      approvalId: async () => /approvals (?:approve|answer) (\S+)/.exec(await appeared('err')('Decide with:'))![1]!,
    },
  }
}

async function createShop(path: string): Promise<void> {
  const { default: Database } = await import('libsql')
  const db = new Database(path)
  db.exec(`
    CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT NOT NULL);
    CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers, total REAL NOT NULL);
    INSERT INTO customers VALUES (1, 'Ada', 'Ireland'), (2, 'Bea', 'Ireland'), (3, '田中', 'Japan');
    INSERT INTO orders VALUES (1, 1, 10.5), (2, 1, 4.5), (3, 3, 100);
  `)
  db.close()
}

/** Every file under a folder, by its path in it; empty when there is no folder. */
export async function filesUnder(folder: string): Promise<string[]> {
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  )
  return isThere ? (await readdir(folder, { recursive: true })).sort() : []
}
