import { expect, it } from 'vitest'
import { painter } from '../support/painter.ts'
import { ask, axeFinds, openWebWorld, over } from './support.ts'

const world = openWebWorld({ agents: [painter()] })

const LOOK = process.env['TUTTI_TEST_LOOK']

it.each([
  ['a desk', { width: 1440, height: 900 }, 'light'],
  ['a phone', { width: 390, height: 844 }, 'light'],
  ['a dark desk', { width: 1440, height: 900 }, 'dark'],
] as const)('pictures that a run made are shown below its answer on %s', async (name, viewport, colorScheme) => {
  // The policy of the page blocks the script of axe.
  const bypassCSP = name === 'a phone'
  const { page } = await world.open('/', { viewport, colorScheme, bypassCSP })
  await ask(page, 'Paint it')
  await over(page)
  const picture = page.getByRole('img', { name: 'heat map.svg' })
  await picture.scrollIntoViewIfNeeded()
  await expect
    .poll(() => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
    .toBe(480)
  const { x, width } = (await picture.boundingBox())!
  expect(x + width).toBeLessThanOrEqual(viewport.width)
  expect(bypassCSP ? await axeFinds(page) : []).toEqual([])
  for (const file of ['heat map.svg', 'page.html']) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: file }).click(),
    ])
    expect(download.suggestedFilename()).toBe(file)
  }
  if (LOOK !== undefined) await page.screenshot({ path: `${LOOK}/run-files-${name.replaceAll(' ', '-')}.png` })
})

it('an SVG image that is opened on its own runs no script', async () => {
  const { page } = await world.open('', { allowed: /Blocked script execution/ })
  const [{ runId } = { runId: '' }] = await world.app.runs.runs()
  const [file] = (await world.app.response(runId)).files!
  await page.goto(`${world.url}/runs/${runId}/files/${file!.id}`)
  await page.locator('rect').first().waitFor()
  expect(await page.title()).not.toBe('ran')
})
