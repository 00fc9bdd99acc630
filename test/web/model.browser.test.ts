import { expect, it } from 'vitest'
import { modelsConfigFromEnv } from '../../src/app/config/models.ts'
import { sqlLoop, startModelServer } from '../support/model-server.ts'
import { openForAll } from '../support/opened.ts'
import { answerOf, ask, createWebWorld, ended } from './support.ts'

/** The web app with a model: its text while it writes, and several calls of one step that wait for approval. */

const SQL = 'SELECT count(*) AS customers FROM customers'
const WORDS = ['There ', 'are ', '**92** ', 'customers', ' in ', 'the ', 'database. ']
const MAILS = 'Write to ann@brindlemoor-coffee.example and bob@brindlemoor-coffee.example.'

const mail = (name: string) => ({
  name: 'send_email',
  arguments: { to: [`${name}@brindlemoor-coffee.example`], subject: `To ${name}`, body: 'The tasting is at noon.' },
})

/** A model that is asked for mails sends both in one step. */
const isDone = ({ messages }: { readonly messages: readonly { readonly role: string }[] }) =>
  messages.at(-1)?.role === 'tool'
const [query] = sqlLoop(SQL, '')
const models = openForAll(() =>
  startModelServer([
    {
      when: (request) => request.text.includes('You are Tutti') && request.text.includes(MAILS) && isDone(request),
      reply: { text: 'Both were asked.' },
    },
    {
      when: (request) => request.text.includes('You are Tutti') && request.text.includes(MAILS),
      reply: { toolCalls: [mail('ann'), mail('bob')] },
    },
    query!,
    { when: 'You are Tutti', reply: { text: WORDS.join(''), chunks: WORDS } },
    { reply: { status: 400 } },
  ]),
)
const world = openForAll(() =>
  createWebWorld({ models: modelsConfigFromEnv({ TUTTI_MODEL_URL: models.url, TUTTI_MODEL: 'compatible:scripted' }) }),
)

it('a streamed answer is shown completely, each of several times, with its model', async () => {
  const { page } = await world.open()
  for (let time = 0; time < 4; time++) {
    await page.goto(world.url)
    await ask(page, 'How many customers are there?')
    await ended(page)
    await expect(answerOf(page)).resolves.toContain('There are 92 customers')
    await expect(page.getByText('That did not work.').count()).resolves.toBe(0)
  }
  await expect(page.getByText('By rules, no model').count()).resolves.toBe(0)
})

it('two mails of one step share one card; one is approved and the other denied', async () => {
  const { page, context } = await world.open('/')
  await ask(page, MAILS)
  const card = page.getByRole('region', { name: '2 calls of one step wait for approval' })
  await card.waitFor()
  await expect(card.getByRole('listitem').allTextContents()).resolves.toEqual([
    expect.stringContaining('To ann'),
    expect.stringContaining('To bob'),
  ])
  const pending = await page.request.get(`${world.url}/approvals?status=pending`)
  const { items } = (await pending.json()) as { items: { step: string }[] }
  expect([items.length, new Set(items.map(({ step }) => step)).size]).toEqual([2, 1])

  const other = await context.newPage()
  await other.goto(`${world.url}/approvals`)
  await other.getByRole('listitem', { name: '2 calls of one step wait for approval' }).waitFor()
  await expect(other.getByRole('button', { name: 'Review' }).count()).resolves.toBe(2)
  await other.close()

  await card.getByRole('button', { name: 'Review' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve as it is' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page
    .getByRole('region', { name: 'One call waits for approval' })
    .getByRole('button', { name: 'Review' })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Deny' }).click()
  await page.locator('article .prose').getByText('Both were asked.').waitFor()
  const decided = await world.app.runs.approvals({})
  expect(decided.map(({ status, payload }) => [status, (payload as { subject: string }).subject])).toEqual([
    ['approved', 'To ann'],
    ['denied', 'To bob'],
  ])
})
