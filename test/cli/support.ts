import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')

export interface Outcome {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly out: string
  readonly err: string
}

export interface Running {
  readonly child: ChildProcess
  /** Resolves when the text has appeared on standard error. */
  said(text: string | RegExp): Promise<string>
  /** The same on standard output. */
  saidOut(text: string | RegExp): Promise<string>
  readonly done: Promise<Outcome>
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
}

export interface CliWorld {
  /** Working folder of the commands, with `shop.sqlite`. */
  readonly folder: string
  readonly dataDir: string
  start(args: readonly string[], options?: RunOptions): Running
  run(args: readonly string[], options?: RunOptions): Promise<Outcome>
  close(): Promise<void>
}

/** The command line as it is published, compiled once, in a folder of its own with a small database. */
export async function createCliWorld(): Promise<CliWorld> {
  const build = await buildCli()
  const folder = await mkdtemp(join(tmpdir(), 'tutti-cli-'))
  const dataDir = join(folder, 'data')
  await createShop(join(folder, 'shop.sqlite'))
  const start = (args: readonly string[], { env = {}, input }: RunOptions = {}): Running => {
    // Nothing of the tester's own environment: no keys, no configuration, no colours.
    const child = spawn(process.execPath, [join(build, 'dist', 'cli', 'main.js'), ...args], {
      cwd: folder,
      env: {
        PATH: `${join(build, 'bin')}${delimiter}${process.env['PATH']}`,
        HOME: folder,
        TUTTI_DATA: dataDir,
        ...env,
      },
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    child.stdin?.end(input)
    return watch(child)
  }
  return {
    folder,
    dataDir,
    start,
    run: (args, options) => start(args, options).done,
    async close() {
      await rm(folder, { recursive: true, force: true })
      await rm(build, { recursive: true, force: true })
    },
  }
}

function watch(child: ChildProcess): Running {
  let out = ''
  let err = ''
  let isOver = false
  const waiters = new Set<() => void>()
  const ring = (): void => {
    for (const check of waiters) check()
  }
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    out += text
    ring()
  })
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    err += text
    ring()
  })
  const done = new Promise<Outcome>((resolve) => {
    child.on('close', (code, signal) => {
      isOver = true
      ring()
      resolve({ code, signal, out, err })
    })
  })
  const appeared = (read: () => string) => (text: string | RegExp) =>
    new Promise<string>((resolve, reject) => {
      const check = (): void => {
        const found = typeof text === 'string' ? read().includes(text) : text.test(read())
        if (!found && !isOver) return
        waiters.delete(check)
        if (found) resolve(read())
        else reject(new Error(`It ended without saying "${String(text)}": ${err}${out}`))
      }
      waiters.add(check)
      check()
    })
  return { child, done, said: appeared(() => err), saidOut: appeared(() => out) }
}

/** Inside node_modules, where the compiled files find the packages. */
async function buildCli(): Promise<string> {
  const build = await mkdtemp(join(ROOT, 'node_modules', '.tutti-cli-'))
  const compiler = join(ROOT, 'node_modules', 'typescript', 'lib', 'tsc.js')
  const args = [
    compiler,
    '-p',
    join(ROOT, 'tsconfig.build.json'),
    '--outDir',
    join(build, 'dist'),
    '--declaration',
    'false',
  ]
  spawnSync(process.execPath, args)
  await cp(join(ROOT, 'assets'), join(build, 'assets'), { recursive: true })
  await cp(join(ROOT, 'package.json'), join(build, 'package.json'))
  // As an installation has it: `tutti` is on the path.
  await mkdir(join(build, 'bin'))
  await symlink(join('..', 'dist', 'cli', 'main.js'), join(build, 'bin', 'tutti'))
  await chmod(join(build, 'dist', 'cli', 'main.js'), 0o755)
  return build
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
