import { afterAll, beforeAll, expect, it } from 'vitest'
import { painter } from '../support/painter.ts'
import { axeFinds, createWebWorld, type WebWorld } from './support.ts'

let world: WebWorld
beforeAll(async () => {
  world = await createWebWorld({ agents: [painter()] })
})
afterAll(() => world.close())

it('pictures that a run made are shown below its answer', async () => {
  const viewport = { width: 390, height: 844 }
  const { page, context, wrong } = await world.open({ viewport, bypassCSP: true })
  await page.goto(world.url)
  await page.getByRole('textbox').fill('Paint it')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Open run' }).waitFor()
  const picture = page.getByRole('img', { name: 'heat map.svg' })
  await picture.scrollIntoViewIfNeeded()
  await expect
    .poll(() => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
    .toBe(480)
  const { x, width } = (await picture.boundingBox())!
  expect(x + width).toBeLessThanOrEqual(viewport.width)
  expect(await axeFinds(page)).toEqual([])
  for (const file of ['heat map.svg', 'page.html']) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: file }).click(),
    ])
    expect(download.suggestedFilename()).toBe(file)
  }
  expect(wrong).toEqual([])
  await context.close()
})

it('an SVG image that is opened on its own runs no script', async () => {
  const { page, context } = await world.open()
  const [{ runId } = { runId: '' }] = await world.app.runs.runs()
  const [file] = (await world.app.response(runId)).files!
  await page.goto(`${world.url}/runs/${runId}/files/${file!.id}`)
  await page.locator('rect').first().waitFor()
  expect(await page.title()).not.toBe('ran')
  await context.close()
})
