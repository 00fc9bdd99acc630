import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { createApp, type AppOptions } from '../../src/app.ts'
import { configSchema } from '../../src/app/config.ts'
import { LOCAL_OWNER } from '../../src/core/owner.ts'
import { createDemoDatabase, DEMO_FILE_NAME } from '../../src/demo/database.ts'
import { writeDemoPapers } from '../../src/demo/papers.ts'
import { signInLocally } from '../../src/server/access.ts'
import { resources } from '../../src/server/resources.ts'
import { startServer } from '../../src/server/server.ts'
import { pageFor, web } from '../../src/server/web/web.ts'
import { launchBrowser } from '../support/browser.ts'

export interface WebWorld {
  readonly url: string
  /** A window of its own; what its pages did that they may not is in `wrong`. */
  open(options?: Parameters<Browser['newContext']>[0]): Promise<Window>
  /** Ends the server, and starts another one on the same data and port. */
  restart(): Promise<void>
  close(): Promise<void>
}

export interface Window {
  readonly page: Page
  readonly context: BrowserContext
  /** Requests to other hosts, errors on the console, broken rules of the page. */
  readonly wrong: readonly string[]
}

/** A model, where there is to be one. */
type Models = Pick<AppOptions, 'models'>

/** Plain JavaScript, which has no types. */
const SCRIPT = '../../scripts/web.mjs' as string

/** The product over the demo business with a real browser before it, and no model. */
export async function createWebWorld(models: Models = {}): Promise<WebWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-web-'))
  await createDemoDatabase(join(folder, DEMO_FILE_NAME))
  const papers = await writeDemoPapers(folder)
  const built = join(folder, 'web')
  const { buildWeb } = (await import(SCRIPT)) as { buildWeb(target: string): Promise<unknown> }
  await buildWeb(built)
  const config = configSchema.parse({
    databases: [{ url: `sqlite:${join(folder, DEMO_FILE_NAME)}`, name: 'brindlemoor' }],
    mail: { url: `maildir:${papers.mailbox}`, from: 'lars.bellander@brindlemoor-coffee.example' },
    // A person reads before deciding.
    approvals: { timeoutMs: 600_000 },
  })
  const start = async (port: number) => {
    const app = await createApp({ config, ...models, storage: { folder: join(folder, 'data') } })
    const status = { version: '0' }
    const server = await startServer({
      app,
      host: '127.0.0.1',
      port,
      version: '0',
      authenticate: signInLocally,
      resources: [...resources(status), web(built)],
      rewrite: pageFor,
      onTrouble: () => undefined,
    })
    await app.engine.recover()
    return { app, server }
  }
  let running = await start(0)
  const { url } = running.server
  await running.app.knowledge.ingest.addPaths(LOCAL_OWNER, [papers.documents], { cwd: folder })
  const browser = await launchBrowser()
  const stop = async (): Promise<void> => {
    await running.server.close()
    await running.app.close()
  }
  return {
    url,
    async open(options = {}) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
      const page = await context.newPage()
      const wrong: string[] = []
      page.on('request', (request) => {
        if (!request.url().startsWith(url) && !request.url().startsWith('blob:')) wrong.push(request.url())
      })
      page.on('console', (message) => {
        // A server that is away is said by the browser, too.
        const isAway = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/.test(
          message.text(),
        )
        if (message.type() === 'error' && !isAway) wrong.push(message.text())
      })
      page.on('pageerror', (error) => wrong.push(error.message))
      return { page, context, wrong }
    },
    async restart() {
      await stop()
      running = await start(Number(new URL(url).port))
    },
    async close() {
      await browser.close()
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
