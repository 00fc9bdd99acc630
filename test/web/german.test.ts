import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERROR_CODES } from '../../src/core/errors.ts'
import { languageOf } from '../../src/language/which-language.ts'
import { errorsDe } from '../../src/web/words/pages/errors-de.ts'
import { ownDe } from '../../src/web/words/pages/own-de.ts'
import { createWebWorld, type WebWorld } from './support.ts'

/** What the server says of an error, in the language of the page. */

let world: WebWorld
beforeAll(async () => void (world = await createWebWorld()))
afterAll(() => world.close())

/** What a person reads on a page, without what was asked, answered or written by others. */
const TEXTS = `[...document.querySelectorAll('main *')]
  .filter((one) => one.checkVisibility() && !one.closest('pre, code, .mono, .prose, [data-move], a[href^="/runs/"]'))
  .flatMap((one) => [...one.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ textContent }) => textContent))`

describe('pages', () => {
  it('say nothing in English', async () => {
    const runId = await world.app.start('Delete all orders of 2024')
    await world.app.runs.outcome(runId)
    const { page, context } = await world.open({ locale: 'de-DE' })
    const english: string[] = []
    const texts: string[] = []
    for (const path of ['/setup', '/agents', '/documents', `/runs/${runId}?tab=trace`]) {
      await page.goto(world.url + path)
      await page.locator('main').getByText(/\p{L}/u).nth(3).waitFor()
      await expect.poll(() => page.locator('.skeleton').count(), { timeout: 20_000 }).toBe(0)
      const read = await page.evaluate<string[]>(TEXTS)
      texts.push(...read)
      english.push(...(await page.locator('main [lang=en]').allTextContents()))
      // What stands in a document is quoted.
      english.push(...read.filter((text) => languageOf(text.replaceAll(/„.*?“|Darin: .*/gs, '')) === 'en'))
    }
    // Rules read English alone: those questions stand below what they mean.
    expect(english.filter((text) => !(text in ownDe))).toEqual([])
    expect(texts.filter((text) => languageOf(text) === 'de').length).toBeGreaterThan(5)
    await context.close()
  })
})

describe('errors', () => {
  it('have a sentence each', () => {
    expect(Object.keys(errorsDe).toSorted()).toEqual(ERROR_CODES.toSorted())
  })

  it('are told in German, with their values', async () => {
    const { page, context } = await world.open({ locale: 'de-DE' })
    await page.goto(`${world.url}/teams/none`)
    const alert = page.getByRole('alert')
    await alert.getByText('Es gibt kein Team none.').waitFor()
    await expect(alert.locator('[lang=en]').count()).resolves.toBe(0)
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
    await alert.getByText(/bild\.exe ist von einer Art, die sich nicht lesen lässt/).waitFor()
    await expect(alert.locator('[lang=en]').count()).resolves.toBe(0)
    await context.close()
  })

  it('are told in the words of the server in English, and say where there is no server', async () => {
    const { page, context } = await world.open()
    await page.goto(`${world.url}/teams/none`)
    await page.getByRole('alert').getByText('There is no team none.').waitFor()
    await page.goto(`${world.url}/schedules`)
    await page.getByRole('button', { name: 'New schedule' }).click()
    await page.getByLabel('Question').fill('What is 6 times 7?')
    await page.route('**/schedules', (route) => route.abort())
    await page.getByRole('button', { name: 'Make it' }).click()
    await expect.poll(() => page.getByRole('alert').first().textContent()).toContain('Tutti does not answer.')
    await context.close()
  })
})
