import type { Page, Request } from 'playwright-core'
import { launchBrowser, type Windows } from '../../support/browser.ts'
import { builtWeb } from '../../support/builds.ts'
import { NOW } from './log.ts'
import { toldIn, WIDTHS, type Scene, type Theme, type Width } from './scenes.ts'
import { NEVER, startGallery } from './server.ts'

export interface Gallery {
  readonly browser: Windows
  /** A window with a scene. `wrong` holds its violations. */
  show(scene: Scene, width: Width, theme: Theme): Promise<{ readonly page: Page; readonly wrong: readonly string[] }>
  close(): Promise<void>
}

/** Builds the app, and shows it in a real browser, one scene after the other. */
export async function openGallery(): Promise<Gallery> {
  const server = await startGallery(await builtWeb())
  const browser = await launchBrowser()
  // One window for all scenes, with a shared cache.
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', bypassCSP: true })
  const page = await context.newPage()
  await page.clock.setFixedTime(NOW)
  // A page with unsaved changes asks before it is left.
  page.on('dialog', (dialog) => void dialog.accept())
  return {
    browser,
    async show(scene, width, theme) {
      // Session storage of the tab.
      if (page.url().startsWith(server.url)) await page.evaluate('sessionStorage.clear()')
      await page.goto('about:blank')
      for (const event of ['pageerror', 'requestfinished', 'requestfailed', 'request'] as const)
        page.removeAllListeners(event)
      server.tell(toldIn(scene))
      const wrong: string[] = []
      page.on('pageerror', (error) => wrong.push(error.message))
      const open = new Set<Request>()
      page.on('requestfinished', (request) => open.delete(request))
      page.on('requestfailed', (request) => open.delete(request))
      page.on('request', (request) => {
        if (!isNeverOver(request.url(), scene)) open.add(request)
        if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(server.url)) wrong.push(request.url())
      })
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: WIDTHS[width] })
      await page.goto(server.url + scene.path)
      await page.getByText(scene.shows).locator('visible=true').first().waitFor({ timeout: 60_000 })
      const still = (): Promise<void> => settle(page, open, !Object.values(scene.replies ?? {}).includes(NEVER))
      if (scene.act !== undefined) {
        // Actions start on a fully loaded page, because late content would move opened elements.
        await still()
        await scene.act(page)
      }
      await still()
      return { page, wrong }
    },
    async close() {
      await browser.close()
      await server.close()
    },
  }
}

/** Streams of active runs, and requests that are never answered. */
function isNeverOver(url: string, { replies = {} }: Scene): boolean {
  const { pathname } = new URL(url)
  return pathname.endsWith('/events') || replies[pathname] === NEVER
}

/**
 * Waits until no request is pending and nothing moves, except streams of active runs.
 * @param isWhole also waits until no part of the page is missing
 */
export async function settle(page: Page, open: ReadonlySet<Request> = new Set(), isWhole = false): Promise<void> {
  await page.mouse.move(0, 0)
  let before = ''
  for (let still = 0, tries = 0; still < 2 && tries < 200; tries++) {
    await page.evaluate('document.fonts.ready')
    const now = String(await page.evaluate('document.documentElement.outerHTML'))
    const isOnItsWay = open.size > 0 || (isWhole && now.includes('class="skeleton"'))
    still = now === before && !isOnItsWay ? still + 1 : 0
    before = now
    if (still < 2) await page.waitForTimeout(60)
  }
}
