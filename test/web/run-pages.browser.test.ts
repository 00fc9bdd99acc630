import { beforeAll, expect, it } from 'vitest'
import { axeFinds, openWebWorld } from './support.ts'

/** Actions on runs: find one by its time, inspect its trace, fork it from a step on a phone. */

const QUESTION = 'When must damaged goods be reported, and how many orders were returned in Q3 2026?'
const WRONG = 'Who painted the ceiling of the chapel?'

const world = openWebWorld()
let runId: string
beforeAll(async () => {
  await world.app.ask(WRONG)
  const { metadata } = await world.app.ask(QUESTION)
  runId = metadata.runId
})

it('runs are found by start time: by dragging, by days; new ones appear after a click', async () => {
  const { page } = await world.open('/runs', { bypassCSP: true })
  const rows = page.locator('tbody').getByRole('checkbox')
  await page.getByText('2 runs', { exact: true }).waitFor()
  await expect(page.getByText('1 not answered', { exact: true }).count()).resolves.toBe(1)
  expect(await axeFinds(page)).toEqual([])
  await world.app.ask(WRONG)
  await page.getByRole('button', { name: '1 new' }).waitFor({ timeout: 60_000 })
  await expect(rows.count()).resolves.toBe(2)
  await page.getByRole('button', { name: '1 new' }).click()
  await expect.poll(() => rows.count()).toBe(3)
  const { x, y, width } = (await page.getByRole('img', { name: 'Runs over time' }).boundingBox())!
  const drag = async (from: number, to: number) => {
    await page.mouse.move(x + width * from, y + 20)
    await page.mouse.down()
    await page.mouse.move(x + width * to, y + 20)
    await page.mouse.up()
    await page.waitForURL(/from=.+&until=/)
  }
  await drag(0.1, 0.6)
  await page.getByText('No matching runs.').waitFor()
  await page.getByRole('link', { name: /^Without this filter/ }).click()
  await expect.poll(() => rows.count()).toBe(3)
  await drag(0.8, 0.999)
  await expect.poll(() => rows.count()).toBe(3)
  await page.getByLabel('From', { exact: true }).fill('2020-01-01')
  await page.getByLabel('To', { exact: true }).fill('2020-01-31')
  await page.getByText('No matching runs.').waitFor()
  await page.reload()
  await expect(page.getByLabel('To', { exact: true }).inputValue()).resolves.toBe('2020-01-31')
  await page.getByLabel('To', { exact: true }).fill('')
  await page.waitForURL((url) => !url.search.includes('until'))
  await expect.poll(() => rows.count()).toBe(3)
})

it('a trace is navigated by keys, and filtered by a time range and an agent', async () => {
  const { page } = await world.open(`/runs/${runId}?tab=trace`, { bypassCSP: true })
  const steps = page.locator('main ol > li')
  await page
    .getByRole('button', { name: /^Database/ })
    .first()
    .click()
  await expect.poll(() => steps.count()).toBe(1)
  // They may have run in sequence.
  const told = await page.getByText(/1 of \d+ steps · only Database/).textContent()
  const all = Number(/1 of (\d+) steps/.exec(told!)?.[1])
  await page.keyboard.press('0')
  await expect.poll(() => steps.count()).toBe(all)
  const map = page.getByRole('img', { name: /^Overview of the run/ })
  const { x, y, width } = (await map.boundingBox())!
  await page.mouse.move(x + width * 0.9, y + 10)
  await page.mouse.down()
  await page.mouse.move(x + width, y + 10)
  await page.mouse.up()
  await page.getByText(/ of \d+ steps · .+ to /).waitFor()
  await expect.poll(() => steps.count()).toBeLessThan(all)
  await page.getByRole('button', { name: /^Show all/ }).click()
  const row = steps.filter({ hasText: 'Database' }).getByRole('button').first()
  await row.focus()
  await page.keyboard.press('ArrowRight')
  await expect(row.getAttribute('aria-expanded')).resolves.toBe('true')
  await page.keyboard.press('ArrowRight')
  await expect(page.evaluate('document.activeElement.tagName')).resolves.toBe('SUMMARY')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect(row.getAttribute('aria-expanded')).resolves.toBe('false')
  expect(await axeFinds(page)).toEqual([])
})

it('on a phone a run is forked from a step with another plan, question and instructions, and is compared', async () => {
  const { page } = await world.open('/runs', {
    bypassCSP: true,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  await page.getByRole('link', { name: QUESTION }).first().tap()
  await page.getByRole('button', { name: 'Trace' }).tap()
  await page
    .locator('main ol')
    .getByRole('button', { name: /Database/ })
    .tap()
  await page.getByRole('button', { name: 'Fork from here' }).tap()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Question').fill('How many orders were returned from April to June 2026?')
  await dialog.getByLabel('Instructions to all agents').fill('Be brief.')
  await dialog.getByRole('button', { name: 'Change the plan' }).tap()
  await dialog.getByRole('button', { name: 'Remove task: 1' }).tap()
  await dialog.getByRole('list', { name: 'Tasks' }).getByRole('textbox').fill('How many customers are there?')
  await dialog.getByRole('button', { name: /^Use this plan/ }).tap()
  await dialog.getByRole('button', { name: 'Start' }).tap()
  await dialog.getByRole('link', { name: 'Open', exact: true }).waitFor()
  await dialog.getByRole('link', { name: 'Compare with this one' }).tap()
  await page.getByText('The requests differ in').first().waitFor()
  // The page shows the state of B when it was opened.
  const [, b] = [...new URL(page.url()).searchParams.values()]
  await world.app.runs.outcome(b!)
  expect((await world.app.runs.state(b!)).request).toMatchObject({ systemPrompt: 'Be brief.' })
  await page.reload()
  await page.getByText('The requests differ in').first().waitFor()
  const isAt = (n: number) =>
    `[...document.querySelectorAll('[data-difference]')].at(${n}).contains(document.activeElement)`
  await page.getByRole('button', { name: 'Next difference' }).tap()
  await expect(page.evaluate(isAt(0))).resolves.toBe(true)
  await page.keyboard.press('p')
  await expect(page.evaluate(isAt(-1))).resolves.toBe(true)
  await expect(page.evaluate('document.documentElement.scrollWidth')).resolves.toBe(390)
  expect(await axeFinds(page)).toEqual([])
  // B is forked with the same dialog, which asks for the changes.
  await page.getByRole('button', { name: 'Fork B from here' }).first().tap()
  await expect(dialog.getByLabel('Question').inputValue()).resolves.toContain('from April to June 2026?')
  await dialog.getByRole('button', { name: 'Cancel' }).tap()
})
