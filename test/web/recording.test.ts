import { afterAll, beforeAll, expect, it } from 'vitest'
import { animate } from '../../scripts/screenshots/animate.ts'
import { webp } from '../../scripts/screenshots/webp.ts'
import { launchBrowser, type Windows } from '../support/browser.ts'

/** Plain JavaScript, which has no types: it runs in pages. */
const IN_PAGE = './in-page.mjs' as string
const { framesInPage } = (await import(IN_PAGE)) as { framesInPage(base64: string): Promise<[number, string][]> }

let browser: Windows
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

it('a recording is read by a browser as its frames, each for its time', async () => {
  const page = await browser.newPage({ viewport: { width: 80, height: 50 } })
  const pictures: Buffer[] = []
  for (const colour of ['red', 'lime', 'blue']) {
    await page.setContent(`<body style="background: ${colour}">`)
    pictures.push(await webp(page, 70))
  }
  const moving = animate(
    pictures.map((picture, n) => ({ picture, milliseconds: 100 * (n + 1) })),
    80,
    50,
  )
  // A page that may decode pictures.
  await page.route('http://127.0.0.1:9/', (route) => route.fulfill({ contentType: 'text/html', body: '' }))
  await page.goto('http://127.0.0.1:9/')
  const seen = await page.evaluate(framesInPage, moving.toString('base64'))
  expect(seen).toEqual([
    [100, '100'],
    [200, '010'],
    [300, '001'],
  ])
  expect(() => animate([{ picture: Buffer.from('RIFF....WEBPJUNK\0\0\0\0'), milliseconds: 1 }], 1, 1)).toThrow(
    'no picture',
  )
})
