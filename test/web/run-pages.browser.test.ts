import { afterAll, beforeAll, expect, it } from 'vitest'
import { axeFinds, createWebWorld, type WebWorld } from './support.ts'

/** Actions on runs: find one by its time, inspect its trace, fork it from a step on a phone. */

const QUESTION = 'When must damaged goods be reported, and how many orders were returned in Q3 2026?'
const WRONG = 'Who painted the ceiling of the chapel?'

let world: WebWorld
let runId: string
beforeAll(async () => {
  world = await createWebWorld()
  await world.app.ask(WRONG)
  const { metadata } = await world.app.ask(QUESTION)
  runId = metadata.runId
})
afterAll(() => world.close())

it('runs are found by the days on which they started', async () => {
  const { page, context, wrong } = await world.open({ bypassCSP: true })
  await page.goto(`${world.url}/runs`)
  const rows = page.locator('tbody').getByRole('checkbox')
  await expect.poll(() => rows.count()).toBe(2)
  expect(await axeFinds(page)).toEqual([])
  await page.getByLabel('From', { exact: true }).fill('2020-01-01')
  await page.getByLabel('To', { exact: true }).fill('2020-01-31')
  await page.getByText('No run matches.').waitFor()
  await page.reload()
  await expect(page.getByLabel('To', { exact: true }).inputValue()).resolves.toBe('2020-01-31')
  await page.getByLabel('To', { exact: true }).fill('')
  await page.waitForURL((url) => !url.search.includes('until'))
  await expect.poll(() => rows.count()).toBe(2)
  expect(wrong).toEqual([])
  await context.close()
})

it('a step of a trace opens into its calls', async () => {
  const { page, context, wrong } = await world.open({ bypassCSP: true })
  await page.goto(`${world.url}/runs/${runId}?tab=trace`)
  const step = page.locator('main ol > li').filter({ hasText: 'Database' })
  await step.getByRole('button').first().click()
  await step.locator('summary').first().click()
  await step.getByText('Input', { exact: true }).first().waitFor()
  expect(await axeFinds(page)).toEqual([])
  expect(wrong).toEqual([])
  await context.close()
})

it('on a phone a run is forked from a step with another plan, question and instructions, and is compared', async () => {
  const { page, context, wrong } = await world.open({
    bypassCSP: true,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  await page.goto(`${world.url}/runs`)
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
  await dialog.getByRole('button', { name: /^Take this plan/ }).tap()
  await dialog.getByRole('button', { name: 'Start' }).tap()
  await dialog.getByRole('link', { name: 'Open it' }).waitFor()
  await dialog.getByRole('link', { name: 'Compare with this one' }).tap()
  await page.getByText('Asked otherwise').first().waitFor()
  // The page shows the state of B when it was opened.
  const [, b] = [...new URL(page.url()).searchParams.values()]
  await world.app.runs.outcome(b!)
  await page.reload()
  await page.getByText('Asked otherwise').first().waitFor()
  await expect(page.evaluate('document.documentElement.scrollWidth')).resolves.toBe(390)
  expect(await axeFinds(page)).toEqual([])
  // B is forked with the same dialog, which asks for the changes; its page names its origin.
  await page.locator('main details > summary').last().tap()
  await page.getByRole('button', { name: 'Fork B from here' }).first().tap()
  await expect(dialog.getByLabel('Question').inputValue()).resolves.toContain('from April to June 2026?')
  await dialog.getByRole('button', { name: 'Cancel' }).tap()
  await page.goto(`${world.url}/runs/${b}`)
  await page.getByText('Forked from').locator('..').getByRole('link', { name: QUESTION }).waitFor()
  await expect(page.evaluate('document.documentElement.scrollWidth')).resolves.toBe(390)
  expect(await axeFinds(page)).toEqual([])
  expect(wrong).toEqual([])
  await context.close()
})
