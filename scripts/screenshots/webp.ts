import type { Page } from 'playwright-core'

/** A page as it is seen, in a form that is a third of PNG's. @param quality of 100 */
export async function webp(page: Page, quality: number): Promise<Buffer> {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality })
  await session.detach()
  return Buffer.from(data, 'base64')
}
