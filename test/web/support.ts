import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { createApp } from '../../src/app/create-app.ts'
import type { App } from '../../src/app/user-app.ts'
import type { AppOptions } from '../../src/app/config/options.ts'
import { configSchema } from '../../src/app/config/schema.ts'
import { LOCAL_OWNER } from '../../src/domain/events.ts'
import { DEMO_SUGGESTIONS } from '../../src/cli/commands/served-demo.ts'
import { createDemoDatabase, DEMO_FILE_NAME, DEMO_MAILBOX_NAME, writeDemoPapers } from '../../src/app/demo-data.ts'
import { resources } from '../../src/server/resources.ts'
import { startServer } from '../../src/server/server.ts'
import { authenticateBy } from '../../src/server/session/authenticate.ts'
import { pageFor, web } from '../../src/server/web/web.ts'
import { launchBrowser, type Windows } from '../support/browser.ts'
import { builtWeb, once } from '../support/builds.ts'
import { sample } from '../support/length.ts'
import { openForAll } from '../support/opened.ts'

export interface WebWorld {
  readonly url: string
  readonly app: App
  /** A new window on a path, or on no page without one. When the test ends it is closed, and must have had no violations. */
  open(path?: string, options?: WindowOptions): Promise<Window>
  /** Restarts the server on the same data and port. @param meanwhile runs while the server is down */
  restart(meanwhile?: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

type WindowOptions = Parameters<Windows['newContext']>[0] & {
  /** Violations that the test expects, such as "status of 400". */
  readonly allowed?: RegExp
}

export interface Window {
  readonly page: Page
  readonly context: BrowserContext
  /** Requests to other hosts, console errors, and CSP violations. */
  readonly wrong: readonly string[]
}

/** Optional model, custom agents, and other options. */
interface Options extends Pick<AppOptions, 'models' | 'agents'> {
  readonly mcp?: readonly unknown[]
  /** Servers that are allowed for personal mailboxes. */
  readonly personalServers?: readonly string[]
}

/** A world for all tests of a file. */
export const openWebWorld = (options?: Options): WebWorld => openForAll(() => createWebWorld(options))

/** The product on the demo business with a real browser, without a model. */
export async function createWebWorld({ mcp = [], personalServers = [], ...parts }: Options = {}): Promise<WebWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-web-'))
  // SQLite deletes these files some time after the database was closed; the log is empty by then.
  const filter = (path: string): boolean => !/-(?:shm|wal)$/.test(path)
  await cp(await readDemo(), folder, { recursive: true, filter })
  const built = await builtWeb()
  const config = configSchema.parse({
    mcp,
    databases: [{ url: `sqlite:${join(folder, DEMO_FILE_NAME)}`, name: 'brindlemoor' }],
    mail: {
      url: `maildir:${join(folder, DEMO_MAILBOX_NAME)}`,
      from: 'lars.bellander@brindlemoor-coffee.example',
      personalServers,
    },
    // The page requires reading before a decision.
    approvals: { timeoutMs: 600_000 },
  })
  const start = async (port: number) => {
    const app = await createApp({ config, ...parts, storage: { folder: join(folder, 'data') } })
    const status = { version: '0' }
    const server = await startServer({
      app,
      host: '127.0.0.1',
      port,
      version: '0',
      authenticate: authenticateBy(app.people),
      resources: [...resources(status, DEMO_SUGGESTIONS), web(built)],
      rewrite: pageFor,
      onError: () => undefined,
    })
    await app.engine.recover()
    return { app, server }
  }
  let running = await start(0)
  const { url } = running.server
  const browser = await launchBrowser()
  const stop = async (): Promise<void> => {
    await running.server.close()
    await running.app.close()
  }
  return {
    url,
    get app() {
      return running.app
    },
    async open(path = '', { allowed, ...options } = {}) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
      const page = await context.newPage()
      // Extends the time for undo, for slow machines.
      await page.addInitScript(() => {
        const wait: (run: () => void, ms?: number) => unknown = globalThis.setTimeout
        Object.assign(globalThis, { setTimeout: (run: () => void, ms = 0) => (ms === 8_000 ? 0 : wait(run, ms)) })
      })
      const wrong: string[] = []
      onTestFinished(async () => {
        await context.close()
        expect(wrong.filter((one) => allowed?.test(one) !== true)).toEqual([])
      })
      page.on('request', (request) => {
        if (!request.url().startsWith(url) && !request.url().startsWith('blob:')) wrong.push(request.url())
      })
      page.on('console', (message) => {
        // The browser logs requests to a stopped server as errors.
        const isAway =
          /ERR_(?:CONNECTION_REFUSED|INCOMPLETE_CHUNKED|CONNECTION_RESET|EMPTY_RESPONSE|INTERNET_DISCONNECTED)/.test(
            message.text(),
          )
        if (message.type() === 'error' && !isAway) wrong.push(message.text())
      })
      page.on('pageerror', (error) => wrong.push(error.message))
      if (path !== '') await page.goto(url + path)
      return { page, context, wrong }
    },
    async restart(meanwhile) {
      await stop()
      await meanwhile?.()
      running = await start(Number(new URL(url).port))
    },
    async close() {
      await browser.close()
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The demo business with its documents in the library of the local user, added once for all tests. */
function readDemo(): Promise<string> {
  return once('read-demo', async (folder) => {
    await createDemoDatabase(join(folder, DEMO_FILE_NAME))
    const { documents } = await writeDemoPapers(folder)
    const app = await createApp({ storage: { folder: join(folder, 'data') } })
    await app.knowledge.ingest.addPaths(LOCAL_OWNER, [documents], { cwd: folder })
    await app.close()
  })
}

/** A page for `itFits`: its path, and a function that shows further content. */
export type FittingPage = readonly [path: string, showContent?: (page: Page) => Promise<unknown>]

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

const LOOKS = [
  ['light', 390, 'de-DE'],
  ['dark', 390, 'en-GB'],
  ['dark', 768, 'de-DE'],
  ['light', 1440, 'en-GB'],
  ['dark', 1440, 'de-DE'],
] as const

/** Tests that pages fit their window, without accessibility violations. The soak run uses all themes and widths. */
export function itFits(world: WebWorld, pages: () => readonly FittingPage[]): void {
  it.each(sample(LOOKS, 5))(
    'fits, without accessibility violations: %s, %i px, %s',
    async (colorScheme, width, locale) => {
      const look = { colorScheme, locale, bypassCSP: true, viewport: { width, height: 844 } }
      const { page } = await world.open('', look)
      const found: string[] = []
      for (const [path, showContent] of pages()) {
        await page.goto(world.url + path)
        await page.locator('main h1').waitFor()
        await expect.poll(() => page.locator('main .skeleton').count()).toBe(0)
        await showContent?.(page)
        found.push(...(await faultsIn(page, path)))
      }
      expect(found).toEqual([])
    },
  )
}

export const MAIL = 'Send a mail to support@brindlemoor-coffee.example with the number of open orders'
export const TWO_PARTS = 'When must damaged goods be reported, and how many orders were returned in Q3 2026?'

export const button = (page: Page, name: string | RegExp): Locator => page.getByRole('button', { name })

/** Sends a question, and waits until its conversation is open. */
export async function ask(page: Page, question: string): Promise<void> {
  const box = page.getByRole('textbox').last()
  await box.fill(question)
  // A menu that closes may take the focus back.
  await box.press('Enter')
  await page.waitForURL(/\/c\//)
}

/** Waits for the outcome of the answer. Without a model, documents give passages, which answer a question partly. */
export const ended = (page: Page, outcome = 'Answered'): Promise<void> =>
  page.locator('article').last().getByText(outcome, { exact: true }).waitFor()

/** Waits until the run of the question is over, whatever its outcome. */
export const over = (page: Page, question = ''): Promise<void> =>
  page.locator('article', { hasText: question }).getByRole('link', { name: 'Open run' }).waitFor()

export const answerOf = (page: Page): Promise<string | null> => page.locator('article .prose').textContent()

/** Signs in, or registers the first account. */
export async function signIn(page: Page, username: string, password: string, button = 'Sign in'): Promise<void> {
  await page.getByLabel('Name').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: button }).click()
}

/** The axe violations of the current page, and whether it is too wide. @param where names the page in the faults */
export async function faultsIn(page: Page, where: string): Promise<readonly string[]> {
  const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
  return [...(await axeFinds(page)).map((one) => `${where} ${one}`), ...(isWide ? [`${where} is too wide`] : [])]
}

/** The axe violations of the current page, also under its security policy. */
export async function axeFinds(page: Page): Promise<readonly string[]> {
  if (await page.evaluate(`globalThis.axe === undefined`)) await page.evaluate(await readFile(AXE, 'utf8'))
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(how: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
    }
    const { violations } = await axe.run({ resultTypes: ['violations'] })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
  })
}
