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
import { createDemoDatabase, DEMO_FILE_NAME, DEMO_MAILBOX_NAME, writeDemoPapers } from '../../src/demo/copy.ts'
import { resources } from '../../src/server/resources.ts'
import { startServer } from '../../src/server/server.ts'
import { authenticateBy } from '../../src/server/session/authenticate.ts'
import { pageFor, web } from '../../src/server/web/web.ts'
import { launchBrowser, type Windows } from '../support/browser.ts'
import { builtWeb, once } from '../support/builds.ts'
import { sample } from '../support/length.ts'

export interface WebWorld {
  readonly url: string
  readonly app: App
  /** A new window, closed when the test ends. `wrong` contains the violations of its pages. */
  open(options?: Parameters<Windows['newContext']>[0]): Promise<Window>
  /** Restarts the server on the same data and port. @param meanwhile runs while the server is down */
  restart(meanwhile?: () => Promise<void>): Promise<void>
  close(): Promise<void>
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

/** The product on the demo business with a real browser, without a model. */
export async function createWebWorld({ mcp = [], personalServers = [], ...parts }: Options = {}): Promise<WebWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-web-'))
  await cp(await readDemo(), folder, { recursive: true })
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
      onTrouble: () => undefined,
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
    async open(options = {}) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
      onTestFinished(() => context.close())
      const page = await context.newPage()
      // Extends the time for undo, for slow machines.
      await page.addInitScript(() => {
        const wait: (run: () => void, ms?: number) => unknown = globalThis.setTimeout
        Object.assign(globalThis, { setTimeout: (run: () => void, ms = 0) => (ms === 8_000 ? 0 : wait(run, ms)) })
      })
      const wrong: string[] = []
      page.on('request', (request) => {
        if (!request.url().startsWith(url) && !request.url().startsWith('blob:')) wrong.push(request.url())
      })
      page.on('console', (message) => {
        // The browser logs requests to a stopped server as errors.
        const isAway = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/.test(
          message.text(),
        )
        if (message.type() === 'error' && !isAway) wrong.push(message.text())
      })
      page.on('pageerror', (error) => wrong.push(error.message))
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

/** Scrolls to the end and approves. */
export async function readAndApprove(dialog: Locator): Promise<void> {
  const on = dialog.getByRole('button', { name: 'Scroll down to approve' })
  const approve = dialog.getByRole('button', { name: 'Approve as it is' })
  await on.or(approve).first().waitFor()
  // One button replaces the other once the end was visible, possibly during the click. When both are gone, the approval
  // is decided.
  for (let tries = 0; tries < 20 && (await on.or(approve).first().isVisible()); tries++)
    await ((await on.isVisible()) ? on : approve).click({ timeout: 3_000 }).catch(() => undefined)
}

/** A page for `itFits`: its path, and a function that shows further content. */
export type FittingPage = readonly [path: string, showContent?: (page: Page) => Promise<unknown>]

const LOOKS = [
  ['light', 390, 'de-DE'],
  ['dark', 390, 'en-GB'],
  ['dark', 768, 'de-DE'],
  ['light', 1440, 'en-GB'],
  ['dark', 1440, 'de-DE'],
] as const

/** Tests that pages fit their window, without accessibility violations. The soak run uses all themes and widths. */
export function itFits(world: () => WebWorld, pages: () => readonly FittingPage[]): void {
  it.each(sample(LOOKS, 5))(
    'fits, without accessibility violations: %s, %i px, %s',
    async (colorScheme, width, locale) => {
      const { page, context, wrong } = await world().open({
        colorScheme,
        locale,
        bypassCSP: true,
        viewport: { width, height: 844 },
      })
      const found: string[] = []
      for (const [path, showContent] of pages()) {
        await page.goto(`${world().url}${path}`)
        await page.locator('main h1').waitFor()
        await expect.poll(() => page.locator('main .skeleton').count()).toBe(0)
        await showContent?.(page)
        found.push(...(await axeFinds(page)).map((one) => `${path} ${one}`))
        if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) found.push(`${path} is too wide`)
      }
      expect([...found, ...wrong]).toEqual([])
      await context.close()
    },
  )
}

/** Signs in, or registers the first account. */
export async function signIn(page: Page, username: string, password: string, button = 'Sign in'): Promise<void> {
  await page.getByLabel('Name').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: button }).click()
}

/** The axe violations of the current page. Its window must be opened with `bypassCSP`. */
export async function axeFinds(page: Page): Promise<readonly string[]> {
  await page.addScriptTag({
    content: await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'),
  })
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(how: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
    }
    const { violations } = await axe.run({ resultTypes: ['violations'] })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
  })
}
