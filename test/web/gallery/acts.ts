import type { Page } from 'playwright-core'

/** Actions before a picture is taken. */

export const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
export const inTurn =
  (...acts: readonly ((page: Page) => Promise<unknown>)[]) =>
  async (page: Page) => {
    for (const act of acts) await act(page)
  }
/** Opens a tab of the panel next to the answer. */
export const beside = (tab: string) =>
  inTurn(press('Show plan, trace and sources'), (page) =>
    page.locator('aside').getByRole('button', { name: tab, exact: true }).click(),
  )
export const openStep = (page: Page) =>
  page
    .locator('main ol')
    .getByRole('button', { name: /Database/ })
    .click()
export const atChart = (page: Page) => page.locator('main section.card').nth(1).scrollIntoViewIfNeeded()
export const designing = inTurn(press('Edit team'), (page) => page.getByText('Tools').first().waitFor())
export const review = inTurn(
  (page) => page.locator('main').getByRole('button', { name: 'Review' }).first().click(),
  (page) => page.getByRole('dialog').waitFor(),
)
export const trying = async (page: Page) => {
  const mailbox = page.getByRole('region', { name: 'Mailbox' })
  const typed = { 'Incoming server (IMAP)': 'imap.brindlemoor-coffee.example', Account: 'support', Password: 'guessed' }
  for (const [label, text] of Object.entries(typed)) await mailbox.getByLabel(label).fill(text)
  await mailbox.getByLabel('Sender address').fill('support@brindlemoor-coffee.example')
  await mailbox.getByRole('button', { name: 'Test' }).click()
  await mailbox.getByText('Failed').waitFor()
}
