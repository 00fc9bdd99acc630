// Soak test: one long walk, with a killed server.
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { createApp } from '../../src/app/create-app.ts'
import { sharedOwner } from '../../src/documents/collections.ts'
import { createCliWorld, type CliWorld } from '../cli/support.ts'
import { launchBrowser } from '../support/browser.ts'
import { builtWhole } from '../support/builds.ts'
import { openForAll } from '../support/opened.ts'

/** One journey through the installed product, from sign-in to the cited passage, with the keyboard only. */

/** Plain JavaScript, which has no types: it runs in pages. */
const IN_PAGE = './in-page.mjs' as string
const { focusInPage } = (await import(IN_PAGE)) as { focusInPage(): { readonly name: string; readonly unseen: string } }

const world = openForAll(() => createCliWorld(builtWhole), 300_000)
const browser = openForAll(launchBrowser)
let server: Awaited<ReturnType<CliWorld['serve']>>

const PASSWORD = 'long enough for anybody'
const QUESTION =
  'How soon must damaged goods be reported, and how many orders were returned in Q3 2026? Send a mail to support@brindlemoor-coffee.example with that.'

beforeAll(async () => {
  const commands = [
    ['people', 'add', 'nora', '--role', 'admin', '--password-stdin'],
    ['demo', 'demo'],
  ]
  for (const command of commands) {
    const { code, err } = await world.run(command, { input: PASSWORD })
    if (code !== 0) throw new Error(err)
  }
  const app = await createApp({ storage: { folder: world.dataDir } })
  const policies = await app.people.collections.create('test', 'policies')
  const file = join(world.folder, 'demo/brindlemoor-documents/returns-policy.pdf')
  await app.knowledge.ingest.addPaths(sharedOwner(policies.collectionId), [file], { cwd: world.folder })
  await app.people.collections.setGrant('test', policies, 'everyone', 'reader')
  await app.close()
  server = await world.serve()
}, 300_000)

const focused = (page: Page) => page.evaluate(focusInPage)

/** Presses Tab until the element has the focus, 120 times at most. Each focused element must be visible. */
async function reach(page: Page, wanted: RegExp): Promise<void> {
  const passed: string[] = []
  for (let tabs = 0; tabs < 120; tabs++) {
    await page.keyboard.press('Tab')
    const { name, unseen } = await focused(page)
    passed.push(name)
    if (!wanted.test(name)) continue
    expect(unseen, name).toBe('')
    return
  }
  throw new Error(`Tab never came to ${String(wanted)}, but to ${[...new Set(passed)].join(' | ')}`)
}

const press = async (page: Page, wanted: RegExp, key = 'Enter'): Promise<void> => {
  await reach(page, wanted)
  await page.keyboard.press(key)
}

const statesIn = (page: Page) =>
  page.locator('aside .node').evaluateAll((all) => all.map((node) => node.getAttribute('data-state')))

it('leads from sign-in to the marked passage, through a changed plan, a decision, a reload, another tab and a killed server', async () => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto(server.url)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()

  await reach(page, /^INPUT .*[Nn]ame/)
  await page.keyboard.type('nora')
  await reach(page, /^INPUT .*[Pp]assword/)
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByText('brindlemoor', { exact: false }).first().waitFor()

  await press(page, /^BUTTON .*[Pp]lan first/, ' ')
  await reach(page, /^TEXTAREA/)
  await page.keyboard.type(QUESTION)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Here is the plan' }).waitFor()

  await press(page, /^BUTTON Change the plan/)
  await page.getByRole('textbox', { name: 'Text of task 2' }).waitFor()
  await reach(page, /^TEXTAREA Text of task 2/)
  await page.keyboard.press('Control+A')
  await page.keyboard.type('How many customers are there?')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('button', { name: 'Review' }).waitFor()
  await expect.poll(() => statesIn(page)).toContain('waiting')
  await expect.poll(async () => (await statesIn(page)).filter((state) => state === 'done').length).toBeGreaterThan(1)

  await page.reload()
  await page.getByRole('button', { name: 'Review' }).waitFor()
  const other = await context.newPage()
  await other.goto(page.url())
  await other.getByRole('button', { name: 'Review' }).waitFor()

  await server.kill()
  server = await world.serve(['--port', new URL(server.url).port])

  await press(page, /^BUTTON Review/)
  const dialog = page.getByRole('dialog')
  await expect(dialog.textContent()).resolves.toContain('support@brindlemoor-coffee.example')
  await expect(dialog.textContent()).resolves.toContain('92')
  await expect(dialog.textContent()).resolves.not.toMatch(/SELECT|Assumed:/)
  expect((await focused(page)).name).toMatch(/^DIALOG/)
  await expect.poll(() => dialog.getByRole('button', { name: 'Approve as it is' }).isEnabled()).toBe(true)
  await press(page, /^BUTTON Approve as it is/)
  await page.locator('article').getByText('Partly answered', { exact: true }).waitFor()
  await other.locator('article').getByText('Partly answered', { exact: true }).waitFor()
  const said = await page.locator('article .prose').textContent()
  expect(said).toContain('Sent to')
  expect(said).toContain('92')
  await expect(other.locator('article .prose').textContent()).resolves.toBe(said)

  await reach(page, /^BUTTON Sources 1: returns-policy/)
  const mark = (await focused(page)).name
  await page.keyboard.press('Enter')
  await page.locator('aside mark.on-page').first().waitFor()
  await page.keyboard.press('Escape')
  await page.locator('aside mark.on-page').first().waitFor({ state: 'detached' })
  expect((await focused(page)).name).toBe(mark)
  expect(errors).toEqual([])
  await context.close()
}, 400_000)
