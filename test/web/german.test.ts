import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERROR_CODES } from '../../src/core/errors.ts'
import { errorsDe } from '../../src/web/words/pages/errors-de.ts'
import { createWebWorld, type WebWorld } from './support.ts'

/** What the server says of an error, in the language of the page. */

let world: WebWorld
beforeAll(async () => void (world = await createWebWorld()))
afterAll(() => world.close())

describe('errors', () => {
  it('have a sentence each', () => {
    expect(Object.keys(errorsDe).toSorted()).toEqual(ERROR_CODES.toSorted())
  })

  it('are told in German, with what the server says besides', async () => {
    const { page, context } = await world.open({ locale: 'de-DE' })
    await page.goto(`${world.url}/documents/none`)
    const alert = page.getByRole('alert')
    await alert.getByText('Das gibt es nicht, oder es ist nicht für Sie.').waitFor()
    await expect(alert.locator('[lang=en]').textContent()).resolves.toBe('There is no document none.')
    await page.goto(`${world.url}/runs/none`)
    await page.getByRole('heading', { name: 'Diesen Lauf gibt es nicht, oder er gehört jemand anderem.' }).waitFor()
    await expect(page.locator('main [lang=en]').count()).resolves.toBe(0)
    await context.close()
  })

  it.each(['/documents', '/'])('of a refused file are told in German, too, beside its name: %s', async (path) => {
    const { page, context } = await world.open({ locale: 'de-DE' })
    await page.goto(world.url + path)
    const file = { name: 'bild.exe', mimeType: 'application/octet-stream', buffer: Buffer.from([0, 1, 2, 3]) }
    await page.locator('input[type=file]').first().setInputFiles(file)
    const alert = page.getByRole('alert')
    await alert.getByText('Diese Datei ließ sich nicht lesen.').waitFor()
    await expect(alert.locator('[lang=en]').textContent()).resolves.toMatch(/\w+ .*\.$/)
    await context.close()
  })

  it('are told in the words of the server in English, and say where there is no server', async () => {
    const { page, context } = await world.open()
    await page.goto(`${world.url}/documents/none`)
    await page.getByRole('alert').getByText('There is no document none.').waitFor()
    await page.goto(`${world.url}/schedules`)
    await page.getByRole('button', { name: 'New schedule' }).click()
    await page.getByLabel('Question').fill('What is 6 times 7?')
    await page.route('**/schedules', (route) => route.abort())
    await page.getByRole('button', { name: 'Make it' }).click()
    await expect.poll(() => page.getByRole('alert').first().textContent()).toContain('Tutti does not answer.')
    await context.close()
  })
})
