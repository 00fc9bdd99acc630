import jsqr from 'jsqr'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sample } from '../support/length.ts'
import { pixelsOf } from './gallery/drawing.ts'
import { REPLIES } from './gallery/replies.ts'
import { SCENES, type Theme } from './gallery/scenes.ts'
import { openGallery, type Gallery } from './gallery/show.ts'

/** The QR code of the second factor, read from a picture of the page in both themes. */

let gallery: Gallery
beforeAll(async () => {
  gallery = await openGallery()
})
afterAll(() => gallery?.close())

it.each(sample<Theme>(['dark', 'light'], 2))('is readable on the %s page, and equals the shown key', async (theme) => {
  const { page, wrong } = await gallery.show(SCENES['settings-second-factor']!, 390, theme)
  expect(wrong).toEqual([])
  const studio = await gallery.browser.newPage()
  const { width, height, pixels } = await pixelsOf(studio, await page.screenshot())
  // A reader for black on white only, like most.
  const read = jsqr.default(pixels, width, height, { inversionAttempts: 'dontInvert' })
  expect(read?.data).toBe((REPLIES['POST /session/second-factor'] as { uri: string }).uri)
})
