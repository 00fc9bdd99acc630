import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { sample } from '../support/length.ts'
import { address, guidePages } from '../../scripts/guide/pages.ts'
import { routesOf } from '../../src/server/routes.ts'
import { web } from '../../src/server/web/web.ts'
import { launchBrowser, type Windows } from '../support/browser.ts'
import { builtWeb } from '../support/builds.ts'
import { faultsOf } from './gallery/drawing.ts'
import { axeFinds } from './support.ts'

/** The built guide in a real browser; its links without one. */

const pages = guidePages()

describe('the pages of docs/', () => {
  it('link only to existing pages and headings, and to files of the repository', () => {
    expect(pages.flatMap(({ name, broken }) => broken.map((link) => `${name}: ${link}`))).toEqual([])
  })

  it('are listed on the home page, each once', () => {
    const home = pages.find(({ name }) => name === 'index')!
    const listed = [...home.html.matchAll(/<li><a href="([^"]+)"/g)].map(([, to]) => to)
    const all = pages.filter(({ name }) => name !== 'index').map(({ name }) => address(name))
    expect(listed.toSorted()).toEqual(all.toSorted())
  })

  it('report broken links', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tutti-guide-'))
    await writeFile(join(folder, 'a.md'), '# A `b` & <c>\n\n[b](b.md) [gone](gone.md) [up](#nowhere) [here](#a-b--c)\n')
    await writeFile(join(folder, 'b.md'), '# B\n\n## Twice\n\n## Twice\n\n[one](a.md#other) [two](b.md#twice-1)\n')
    const [a, b] = guidePages(folder)
    expect(a!.broken).toEqual(['gone.md', '#nowhere'])
    expect(b!.broken).toEqual(['/guide/a#other'])
    await rm(folder, { recursive: true })
  })
})

describe('in a browser', () => {
  let url: string
  let browser: Windows
  const server = Fastify()
  beforeAll(async () => {
    const pages = web(await builtWeb())
    await server.register(async (instance) => pages(routesOf(instance as never), undefined as never))
    url = await server.listen({ host: '127.0.0.1', port: 0 })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })

  const open = async (options: Parameters<Windows['newContext']>[0] = {}) => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
    const page = await context.newPage()
    const wrong: string[] = []
    page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()))
    page.on('pageerror', (error) => wrong.push(error.message))
    page.on('request', (request) => request.url().startsWith(url) || wrong.push(request.url()))
    onTestFinished(async () => {
      await context.close()
      expect(wrong.filter((one) => !one.includes('status of 404'))).toEqual([])
    })
    return page
  }

  it('is served under strict security rules, and reports a missing page', async () => {
    const page = await open()
    const scripts = new Set<string>()
    page.on('request', (request) => request.resourceType() === 'script' && scripts.add(request.url()))
    for (const path of ['/guide', '/guide/', '/guide/cli']) {
      const reply = await page.goto(url + path)
      expect(reply!.status()).toBe(200)
      expect(reply!.headers()['content-security-policy']).not.toContain('unsafe')
      await expect(page.locator('h1').count()).resolves.toBe(1)
    }
    // Its own few, and nothing of the app.
    expect([...scripts].filter((one) => /\/(first|icons)-/.test(one))).toEqual([])
    expect(scripts.size).toBeLessThan(8)
    const none = await page.goto(`${url}/guide/nowhere/at-all`)
    expect(none!.status()).toBe(404)
    await page.getByText('This page does not exist').waitFor()
    await page.getByRole('link', { name: 'See all pages' }).click()
    await page.waitForURL(`${url}/guide`)
  })

  it('on a phone, has its pages in a menu', async () => {
    const page = await open({ viewport: { width: 390, height: 844 } })
    await page.goto(`${url}/guide/tracing`)
    const link = page.getByRole('link', { name: 'Deployment' })
    await expect(link.isVisible()).resolves.toBe(false)
    await page.getByRole('button', { name: 'All pages' }).click()
    await link.click()
    await page.waitForURL(`${url}/guide/deployment`)
  })

  it.each(sample(['light', 'dark'] as const, 2))(
    'has no accessibility violations, in the %s theme',
    async (colorScheme) => {
      const page = await open({ colorScheme, bypassCSP: true })
      const found: string[] = []
      for (const path of ['/guide', '/guide/configuration', '/guide/nowhere']) {
        await page.goto(url + path)
        found.push(...(await axeFinds(page)).map((one) => `${path} ${one}`))
      }
      expect(found).toEqual([])
    },
  )

  it('fits into its window, every page of it', async () => {
    const page = await open()
    const faults: string[] = []
    for (const { name } of sample(pages, 4)) {
      await page.goto(url + address(name))
      for (const width of sample([390, 768, 1440], 2)) {
        await page.setViewportSize({ width, height: 900 })
        faults.push(...(await faultsOf(page)).map((one) => `${name}, ${width} px: ${one}`))
      }
    }
    expect(faults).toEqual([])
  })

  it('has exactly one file for each page', async () => {
    const built = (await readdir(join(await builtWeb(), 'guide'), { recursive: true })).filter((one) =>
      one.endsWith('.html'),
    )
    expect(built.toSorted()).toEqual([...pages.map(({ name }) => `${name}.html`), 'not-found.html'].toSorted())
  })
})
