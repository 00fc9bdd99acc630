import { beforeAll, describe, expect, it } from 'vitest'
import { LOCAL_OWNER } from '../../src/domain/events.ts'
import { openWebWorld } from './support.ts'

/** Schedules: created, changed, paused, removed. */

const QUESTION = 'How many customers are there?'

const world = openWebWorld()
beforeAll(async () => {
  world.app.schedules.work()
})

const kept = () => world.app.schedules.list(LOCAL_OWNER)

describe('schedules', () => {
  it('one is created, changed, paused and removed', async () => {
    const { page } = await world.open('/schedules', { timezoneId: 'Europe/Berlin', allowed: /400/ })
    await page.getByText('No schedules yet.').waitFor()
    await page.getByRole('button', { name: 'New schedule' }).click()
    await page.getByLabel('Question').fill(QUESTION)
    await page.getByLabel('At', { exact: true }).fill('07:30')
    await page.getByRole('button', { name: 'Create schedule' }).click()
    await page.getByText('Monday to Friday at 07:30 (Europe/Berlin)').waitFor()
    expect(await kept()).toMatchObject([{ timing: { cron: '30 7 * * MON-FRI', zone: 'Europe/Berlin' } }])
    await page.locator('main').getByRole('link', { name: QUESTION }).click()
    await page.getByText('No runs yet.').waitFor()
    await world.app.schedules.fire(LOCAL_OWNER, (await kept())[0]!.scheduleId)
    await page.reload()
    await page.getByText('Done', { exact: true }).waitFor({ timeout: 60_000 })
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('When').selectOption('cron')
    await page.getByRole('textbox', { name: /^Cron expression/ }).fill('61 * * * *')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('cron line').waitFor()
    await page.getByRole('textbox', { name: /^Cron expression/ }).fill('*/20 * * * *')
    await page.getByLabel('Question').fill('How many orders are there?')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('*/20 * * * * (Europe/Berlin)').waitFor()
    expect(await kept()).toMatchObject([{ request: { question: 'How many orders are there?' } }])
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('Paused').waitFor()
    await page.getByRole('link', { name: 'Show answer' }).click()
    await page.locator('.prose').getByText('92').waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No schedules yet.').waitFor()
    expect(await kept()).toEqual([])
  })

  it('the secret of a hook is shown once, and a program can call with it', async () => {
    const { page } = await world.open('/schedules')
    await page.getByRole('button', { name: 'New schedule' }).click()
    await page.getByLabel('Question').fill(QUESTION)
    await page.getByLabel('When').selectOption('bearer')
    await page.getByRole('button', { name: 'Create schedule' }).click()
    await page.getByText('not shown again').waitFor()
    const [address, secret] = await page.locator('section[role=status] code').allTextContents()
    const called = await fetch(address!, { method: 'POST', headers: { authorization: `Bearer ${secret}` }, body: '{}' })
    expect(called.status).toBe(202)
    await page.reload()
    await page.locator('main').getByRole('link', { name: QUESTION }).click()
    await page
      .getByText(/^(?:Due|Running|Done)$/)
      .first()
      .waitFor()
    expect(await page.content()).not.toContain(secret)
  })
})
