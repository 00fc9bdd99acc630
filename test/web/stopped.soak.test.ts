// Soak test: stops servers and sessions under an open page.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { defineAgent } from '../../src/domain/actor.ts'
import { TuttiError } from '../../src/domain/errors.ts'
import { ask, MAIL, openWebWorld, signIn } from './support.ts'

/** Interrupted work: a session that ends while the user types, and a stopped run. */

/** Whether the service is down. */
let isAway = true
const port = defineAgent({
  name: 'port',
  description: 'Looks for the Aurora.',
  capabilities: [],
  useCases: [],
  keywords: ['aurora'],
  run: async () => {
    if (isAway) throw new TuttiError('HttpError', 'The port does not answer.')
    return { answer: 'The Aurora has docked.' }
  },
})

const world = openWebWorld({ agents: [port] })

const PASSWORD = 'a quiet roastery at noon'
const judged = (page: Page) => page.getByRole('group', { name: 'Was this right?' })
const field = (page: Page) => page.getByRole('textbox').last()

it('a stopped run is resumed in the same conversation, with its finished jobs', async () => {
  const { page } = await world.open('/')
  await ask(page, MAIL)
  await page.getByRole('button', { name: 'Review' }).waitFor()
  const before = page.url()
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await page.locator('article').getByText('Stopped', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Open run' }).waitFor()
  await expect(judged(page).count(), 'without an answer nothing was right').resolves.toBe(0)
  await page.getByRole('button', { name: 'Resume', exact: true }).click()
  await page.getByRole('button', { name: 'Review' }).waitFor()
  await expect(page.locator('article').count()).resolves.toBe(2)
  expect(new URL(page.url()).pathname).toBe(new URL(before).pathname)
  const [goneOn, stopped] = await world.app.as('local').runs.runs({ isFirst: true })
  const jobs = async (runId: string) => [...(await world.app.as('local').runs.state(runId)).jobs.values()]
  const done = (await jobs(stopped!.runId)).filter(({ status }) => status === 'succeeded')
  expect(done.length).toBeGreaterThan(1)
  // With the same timestamps: they were not repeated.
  expect((await jobs(goneOn!.runId)).map(({ key, startedAt }) => `${key} ${startedAt}`)).toEqual(
    expect.arrayContaining(done.map(({ key, startedAt }) => `${key} ${startedAt}`)),
  )
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await page.getByRole('button', { name: 'Resume', exact: true }).nth(1).waitFor()
})

it('a failed part of an answered run is retried, also after a restart; finished jobs are kept', async () => {
  const { page } = await world.open('/')
  await ask(page, 'How many customers are there? Has the Aurora docked?')
  const again = page.getByRole('button', { name: 'Retry failed steps', exact: true })
  await again.waitFor()
  await judged(page).waitFor()
  await expect(page.locator('article').textContent()).resolves.toContain('92')
  await world.restart()
  isAway = false
  await again.click()
  const [, second] = [0, 1].map((n) => page.locator('article').nth(n))
  await second!.getByText('Answered', { exact: true }).waitFor()
  const said = await second!.locator('.prose').textContent()
  expect(said).toContain('The Aurora has docked.')
  expect(said).toContain('92')
  await expect(second!.getByRole('button', { name: 'Retry failed steps' }).count()).resolves.toBe(0)
  const [repeated, before] = await world.app.as('local').runs.runs({ isFirst: true })
  const counted = async (runId: string) =>
    [...(await world.app.as('local').runs.state(runId)).jobs.values()].find(({ actor }) => actor === 'sql')
  expect(await counted(repeated!.runId)).toMatchObject({ startedAt: (await counted(before!.runId))!.startedAt })
})

it('a session that ends while the user types: after signing in again text, agents and files are restored, for no other user', async () => {
  const { page, context } = await world.open('', { allowed: /status of 401/ })
  await page.goto(`${world.url}/settings`)
  await signIn(page, 'root', PASSWORD, 'Create an account')
  await page.getByText('Profile').waitFor()
  await world.app.people.accounts.add('root', { username: 'ada', password: PASSWORD })
  await page.goto(`${world.url}/`)
  const question = 'What do the notes say about the coffee of winter?'
  const typed = `@rag ${question}`
  await page.locator('input[type=file]').setInputFiles({
    name: 'notes.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('The coffee of winter comes from Huila.'),
  })
  const files = page.getByRole('list', { name: 'Files of this question' })
  await files.getByRole('status').waitFor({ state: 'detached' })
  await field(page).fill(typed)
  await context.clearCookies()
  await page.keyboard.press('Enter')
  await signIn(page, 'root', PASSWORD)
  await page.getByText('What should the team work on?').waitFor()
  await expect.poll(() => field(page).inputValue()).toBe(typed)
  await expect(files.textContent()).resolves.toContain('notes.txt')

  // Also while the user only types, and not for the next user.
  await context.clearCookies()
  await page.reload()
  await signIn(page, 'ada', PASSWORD)
  await page.getByText('What should the team work on?').waitFor()
  await expect(field(page).inputValue()).resolves.toBe('')
  await expect(files.count()).resolves.toBe(0)
  await context.clearCookies()
  await page.reload()
  await signIn(page, 'root', PASSWORD)
  await expect.poll(() => field(page).inputValue()).toBe(typed)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.locator('article').last().getByRole('link', { name: 'Open run' }).waitFor()
  await expect(page.locator('article').last().textContent()).resolves.toContain('notes.txt')
  const root = (await page.evaluate(async () => (await fetch('/session')).json())) as { caller: { userId: string } }
  const mine = world.app.as(root.caller.userId).runs
  const { request } = await mine.state((await mine.runs({ isFirst: true }))[0]!.runId)
  expect(request).toMatchObject({ question, preferAgents: ['rag'] })
  await expect(field(page).inputValue()).resolves.toBe('')
  await expect(files.count()).resolves.toBe(0)

  // A question that is pending when the page is left does not count as sent.
  await page.route('**/attachments', () => undefined)
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'late.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
  await files.getByRole('status').waitFor()
  await page.reload()
  await files.getByText('The upload did not finish.').waitFor()
})
