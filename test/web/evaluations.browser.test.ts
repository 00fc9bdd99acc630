import { beforeAll, describe, expect, it } from 'vitest'
import { LOCAL_OWNER } from '../../src/domain/events.ts'
import { openWebWorld } from './support.ts'

/** Evaluation cases in the browser: added, run, inspected, compared, made from an answer, removed. */

const CASES = [
  { id: 'all', set: 'customers', question: 'How many customers are there?', expect: { number: 92 } },
  { id: 'off', set: 'customers', question: 'How many products are there?', expect: { number: 7 } },
  { id: 'none', set: 'space', question: 'How many spaceships do we own?', expect: { refusal: true } },
]

const world = openWebWorld()
beforeAll(() => world.app.evaluations.work())

describe('evaluations', () => {
  it('cases of a file are run, and the wrong answer is first', async () => {
    const { page } = await world.open('/evaluations', { allowed: /400/ })
    await page.getByText('No evaluations yet.').waitFor()
    await page.getByRole('link', { name: 'Add cases' }).click()
    const add = async (...cases: readonly object[]): Promise<void> => {
      const buffer = Buffer.from(cases.map((one) => JSON.stringify(one)).join('\n'))
      await page.getByLabel('File with cases').setInputFiles({ name: 'a.jsonl', mimeType: 'text/plain', buffer })
      await page.getByRole('button', { name: 'Add', exact: true }).click()
    }
    await add({ ...CASES[0], db: 'sqlite:other.db' }, ...CASES.slice(1))
    await page.getByText('3 cases added.').waitFor()
    await page.getByText('expected: a refusal').waitFor()
    await page.goto(`${world.url}/evaluations`)
    await page.getByText('Run your 3 cases.').waitFor()
    await page.locator('main').getByRole('button', { name: 'Run' }).last().click()
    await page.getByRole('dialog').waitFor()
    await page.goto(`${world.url}/evaluations/cases`)
    await page.getByText('expected: a refusal').waitFor()
    // With the keyboard only.
    await page.getByRole('button', { name: 'Run', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Start evaluation' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Delete', exact: true }).waitFor({ timeout: 60_000 })
    await page.getByText('Wrong or failed 1').waitFor({ timeout: 60_000 })
    const line = page.getByRole('button', { name: /How many products are there\?/ })
    expect(await line.textContent()).toContain('expected: 7')
    await line.press('Enter')
    await page.getByRole('link', { name: 'Trace' }).waitFor()
    await page.getByRole('button', { name: /^All/ }).click()
    expect(await page.getByRole('button', { name: /expected:/ }).count()).toBe(3)
    await page.getByRole('link', { name: /space/ }).click()
    expect(await page.getByRole('button', { name: /expected:/ }).count()).toBe(1)
  }, 120_000)

  it('an answer becomes a case, and a second evaluation is compared with the first', async () => {
    const { page } = await world.open('/?q=How+many+orders+are+there%3F')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('button', { name: 'Make a test' }).waitFor({ timeout: 60_000 })
    await page.waitForURL(/\/c\//)
    // Wait: a user would not open a menu while the page changes to the conversation.
    await page.reload()
    await page.getByRole('button', { name: 'Make a test' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('textbox').first().inputValue()).resolves.toMatch(/\d/)
    await dialog.getByLabel('A right answer').selectOption('number')
    await dialog.getByRole('textbox', { name: /^Numbers/ }).fill('many')
    await dialog.getByRole('button', { name: 'Keep it as a test' }).click()
    await dialog.getByText('“many” is no number').waitFor()
    await dialog.getByRole('textbox', { name: /^Numbers/ }).fill('1')
    await dialog.getByLabel('Set').fill('customers')
    await dialog.getByRole('button', { name: 'Keep it as a test' }).click()
    await dialog.getByRole('link', { name: 'To the cases' }).click()
    await page.getByText('How many orders are there?').first().waitFor()
    await world.app.evaluations.cases.save(LOCAL_OWNER, [
      {
        id: 'off',
        set: 'customers',
        context: {},
        turns: [{ question: 'How many customers are there?', expect: [{ number: [92] }] }],
      },
    ])
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('dialog').getByLabel('space', { exact: false }).uncheck()
    await page.getByRole('button', { name: 'Start evaluation' }).click()
    await page.getByText('2 of 3').first().waitFor({ timeout: 60_000 })
    await page.getByRole('button', { name: 'Delete', exact: true }).waitFor({ timeout: 60_000 })
    await page.getByLabel('Compare with').selectOption({ index: 1 })
    // The new wrong case, the fixed one, and the one that was not run again.
    await page.getByText('Wrong or changed 3').waitFor()
    const [first] = await page.getByRole('button', { name: /expected:/ }).allTextContents()
    expect(first).toContain('How many orders are there?')
    expect(first).toContain('Not run')
  }, 120_000)

  it('one is removed, and a set with its cases', async () => {
    const { page } = await world.open('/evaluations')
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => page.locator('select').first().locator('option').count()).toBe(1)
    await page.getByRole('link', { name: 'Cases' }).click()
    const own = page.getByRole('region', { name: 'customers' }).getByRole('listitem')
    await own.first().waitFor()
    const before = await own.count()
    await own.first().getByRole('button').click()
    await expect.poll(() => own.count()).toBe(before - 1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => own.count()).toBe(before)
    await page.getByRole('region', { name: 'space' }).getByRole('button', { name: 'Delete set' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete set' }).click()
    await page.getByRole('region', { name: 'space' }).waitFor({ state: 'detached' })
    expect((await world.app.evaluations.cases.list(LOCAL_OWNER)).map(({ set }) => set)).toEqual([
      'customers',
      'customers',
      'customers',
    ])
  })
})
