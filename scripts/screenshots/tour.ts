import type { Page } from 'playwright-core'
import { createWebWorld } from '../../test/web/support.ts'
import { animate, type Frame } from './animate.ts'
import { webp } from './webp.ts'

const SIZE = { width: 1200, height: 750 }
const QUESTION =
  'What does the returns policy say about damaged goods, and how many orders were returned from July to September 2026?'
const MAIL = 'Send a mail to support@brindlemoor-coffee.example with the number of open orders'

/** A short recording of the product over the demo: a question, its work, a passage, a mail that waits. */
export async function recordTour(): Promise<Buffer> {
  const world = await createWebWorld()
  const frames: Frame[] = []
  try {
    const { page } = await world.open({ viewport: SIZE, colorScheme: 'light', reducedMotion: 'reduce' })
    const keep = async (milliseconds: number): Promise<void> => {
      frames.push({ picture: await webp(page, 60), milliseconds })
    }
    await page.goto(world.url)
    await page.getByText('Try one of these').waitFor()
    await keep(1_500)
    await ask(page, QUESTION, keep)
    await page.getByRole('button', { name: 'Show plan, trace and sources' }).click()
    const isAnswered = page.locator('article').getByText('Answered', { exact: true })
    for (let n = 0; n < 12 && (await isAnswered.count()) === 0; n++) await keep(300)
    await isAnswered.waitFor()
    await keep(2_500)
    await page.locator('.cite').first().click()
    await page.locator('aside mark.on-page').first().waitFor()
    await keep(3_000)
    await page.goto(world.url)
    await ask(page, MAIL, keep)
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('dialog').locator('mark.own').first().waitFor()
    await keep(3_500)
  } finally {
    await world.close()
  }
  return animate(frames, SIZE.width, SIZE.height)
}

async function ask(page: Page, question: string, keep: (milliseconds: number) => Promise<void>): Promise<void> {
  const field = page.getByRole('textbox')
  for (let end = 24; end < question.length + 24; end += 24) {
    await field.fill(question.slice(0, end))
    await keep(140)
  }
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/c\//)
}
