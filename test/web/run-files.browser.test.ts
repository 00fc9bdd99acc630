import { expect, it } from 'vitest'
import { painter } from '../support/painter.ts'
import { ask, axeFinds, openWebWorld, over } from './support.ts'

const world = openWebWorld({ agents: [painter()] })

const LOOK = process.env['TUTTI_TEST_LOOK']

it('pictures that a run made are shown below its answer on a desk, dark and light, and on a phone', async () => {
  const { page } = await world.open('/')
  await ask(page, 'Paint it')
  await over(page)
  const picture = page.getByRole('img', { name: 'heat map.svg' })
  for (const [name, viewport, colorScheme] of [
    ['a desk', { width: 1440, height: 900 }, 'light'],
    ['a dark desk', { width: 1440, height: 900 }, 'dark'],
    ['a phone', { width: 390, height: 844 }, 'light'],
  ] as const) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    await picture.scrollIntoViewIfNeeded()
    await expect
      .poll(() => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
      .toBe(480)
    const { x, width } = (await picture.boundingBox())!
    expect(x + width, name).toBeLessThanOrEqual(viewport.width)
    for (const file of ['heat map.svg', 'page.html']) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: file }).click(),
      ])
      expect(download.suggestedFilename()).toBe(file)
    }
    if (LOOK !== undefined) await page.screenshot({ path: `${LOOK}/run-files-${name.replaceAll(' ', '-')}.png` })
  }
  expect(await axeFinds(page)).toEqual([])
})

it('an SVG image that is opened on its own runs no script', async () => {
  const { page } = await world.open('', { allowed: /Blocked script execution/ })
  const [{ runId } = { runId: '' }] = await world.app.runs.runs()
  const [file] = (await world.app.response(runId)).files!
  await page.goto(`${world.url}/runs/${runId}/files/${file!.id}`)
  await page.locator('rect').first().waitFor()
  expect(await page.title()).not.toBe('ran')
})
