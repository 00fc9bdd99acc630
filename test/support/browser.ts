import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress } from 'node:zlib'
import { chromium, type Browser, type BrowserContext } from 'playwright-core'

const PACKAGE = join(import.meta.dirname, '../../node_modules/@sparticuz/chromium')

/** Windows of the shared browser. `close` closes the windows opened through this object. */
export type Windows = Pick<Browser, 'newContext' | 'newPage' | 'close'>

let running: Promise<Browser> | undefined

/**
 * Returns a real browser without animations, which would redraw 60 times a second. All tests of a process share it, each with its
 * own windows. It ends with the process.
 */
export async function launchBrowser(): Promise<Windows> {
  if (running === undefined || !(await running).isConnected()) running = launch()
  const browser = await running
  const opened = new Set<BrowserContext>()
  const newContext: Browser['newContext'] = async (options) => {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
    // With other tests in parallel a page may wait for the CPU.
    context.setDefaultTimeout(60_000)
    opened.add(context)
    context.on('close', () => opened.delete(context))
    return context
  }
  return {
    newContext,
    newPage: async (options) => (await newContext(options)).newPage(),
    async close() {
      await Promise.all([...opened].map((context) => context.close()))
      if (process.env['VITEST'] === undefined) await browser.close()
    },
  }
}

/**
 * Our own arguments: those of the package disable site isolation, which would make tests of the page's security rules
 * worthless. The browser reaches loopback only.
 */
async function launch(): Promise<Browser> {
  const folder = await unpacked()
  const executablePath = join(folder, 'chromium')
  const libraries = { ...process.env, LD_LIBRARY_PATH: join(folder, 'lib') } as Record<string, string>
  // The package contains libraries that a machine without a desktop lacks.
  const isWhole = spawnSync(executablePath, ['--version']).status === 0
  return chromium.launch({
    executablePath,
    args: [
      '--headless=shell',
      '--no-sandbox',
      '--disable-gpu',
      '--font-render-hinting=none',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
    ...(isWhole ? {} : { env: libraries }),
  })
}

/** Unpacks browser and libraries once for each version, also with parallel callers. */
async function unpacked(): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { version: string }
  const cache = join(PACKAGE, '..', '..', '.cache')
  const folder = join(cache, `chromium-${version}`)
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const made = mkdtempSync(join(cache, 'chromium-'))
  for (const [packed, name] of [
    ['chromium.br', 'chromium'],
    ['al2023.tar.br', 'libraries.tar'],
  ] as const) {
    const from = createReadStream(join(PACKAGE, 'bin', packed))
    await pipeline(from, createBrotliDecompress(), createWriteStream(join(made, name)))
  }
  chmodSync(join(made, 'chromium'), 0o755)
  execFileSync('tar', ['-xf', join(made, 'libraries.tar'), '-C', made])
  rmSync(join(made, 'libraries.tar'))
  try {
    renameSync(made, folder)
  } catch (thrown) {
    if (!existsSync(folder)) throw thrown
    // Another process was faster.
    rmSync(made, { recursive: true })
  }
  return folder
}
