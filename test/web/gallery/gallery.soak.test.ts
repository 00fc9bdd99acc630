// Soak test: takes pictures of all scenes, themes and widths.
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLong, sample } from '../../support/length.ts'
import { axeFinds } from '../support.ts'
import { differenceOf, faultsOf, shrink } from './drawing.ts'
import { SCENES, WIDTHS, type Scene, type Width } from './scenes.ts'
import { openGallery, settle, type Gallery } from './show.ts'

/**
 * The app in every state, from fixed logs and replies. Nothing overflows, overlaps or is cut off at the width of a phone, a tablet
 * and a desktop. Each state looks like its approved drawing; `TUTTI_TEST_DRAW=1` redraws them.
 */

const DRAWINGS = join(import.meta.dirname, 'drawings')
const isDrawing = process.env['TUTTI_TEST_DRAW'] === '1'
/** Folder for large pictures of all scenes at all widths, for visual inspection. */
const LOOK = process.env['TUTTI_TEST_LOOK']
/** Tolerance for rendering differences between machines. */
const TOLERANCE = { worst: 24, share: 0.02 }

let gallery: Gallery | undefined
let studio: Page
beforeAll(async () => {
  gallery = await openGallery()
  studio = await gallery.browser.newPage()
  if (isDrawing) await mkdir(DRAWINGS, { recursive: true })
  if (LOOK !== undefined) await mkdir(LOOK, { recursive: true })
})
afterAll(() => gallery?.close())

const widthsOf = ({ widths }: Scene): Width[] => [...(widths ?? ([390, 768, 1440] as const))]

/** A sample, unless all scenes are drawn or inspected. */
const shown = isDrawing || LOOK !== undefined ? Object.entries(SCENES) : sample(Object.entries(SCENES), 16)

describe.each(shown)('%s', (name, scene) => {
  it('fits, has no accessibility violations, and looks like its drawing', async () => {
    const all = widthsOf(scene)
    const { width: drawnAt = all.at(-1)!, theme = 'light' } = scene.drawn ?? {}
    const { page, wrong } = await gallery!.show(scene, drawnAt, theme)
    const faults = await compared(name, await picture(page, name, drawnAt))
    faults.push(...(await faultsOf(page)).map((one) => `${drawnAt} px: ${one}`), ...(await axeFinds(page)))
    // A page that fits on a phone and at the drawn width usually fits in between.
    const others = all.filter((one) => one !== drawnAt && (isLong || LOOK !== undefined || one === 390))
    for (const width of others) {
      await page.setViewportSize({ width, height: WIDTHS[width] })
      await settle(page)
      faults.push(...(await faultsOf(page)).map((one) => `${width} px: ${one}`))
      if (LOOK !== undefined) await picture(page, name, width)
    }
    expect([...faults, ...wrong]).toEqual([])
  })
})

async function picture(page: Page, name: string, width: Width): Promise<Buffer> {
  const shot = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  if (LOOK !== undefined) await writeFile(join(LOOK, `${name}-${width}.png`), shot)
  return shot
}

async function compared(name: string, shot: Buffer): Promise<string[]> {
  const path = join(DRAWINGS, `${name}.png`)
  const drawing = await shrink(studio, shot)
  if (isDrawing) await writeFile(path, drawing)
  if (!existsSync(path)) return ['There is no drawing of it: look at the scene, then run this with TUTTI_TEST_DRAW=1.']
  const { worst, at, share } = await differenceOf(studio, await readFile(path), drawing)
  if (worst <= TOLERANCE.worst && share <= TOLERANCE.share) return []
  const now = join(tmpdir(), `tutti-drawing-${name}.png`)
  await writeFile(now, shot)
  return [
    `It looks different around ${at.join(', ')} (by ${worst.toFixed(0)} of 255; ${(share * 100).toFixed(1)} % of it): look at ${now}, and draw it anew with TUTTI_TEST_DRAW=1 if that is meant.`,
  ]
}

it('there are no drawings of removed scenes', async () => {
  const drawn = (await readdir(DRAWINGS)).map((file) => file.replace('.png', ''))
  expect(drawn.filter((name) => SCENES[name] === undefined)).toEqual([])
})

describe('the layout checks', () => {
  const WELL =
    '<p style="width: 90px; overflow: hidden; white-space: nowrap" title="Enough">Well said</p><button>Press</button>'

  it.each([
    ['The page is', '<div style="width: 3000px">wide</div>'],
    ['Beyond the edge', '<p style="position: absolute; left: 2900px; width: 200px">out there</p>'],
    ['Cut off without a title', '<p style="width: 40px; overflow: hidden; white-space: nowrap">Much too long</p>'],
    [
      'Cut off below without a title',
      '<p style="width: 90px; height: 20px; overflow: hidden">One line and another and more</p>',
    ],
    [
      'Cut off by what is around it',
      '<div style="width: 40px; overflow: hidden"><p style="width: 300px">Much too long</p></div>',
    ],
    [
      'Too narrow to say anything',
      '<p title="All" style="width: 9px; overflow: hidden; white-space: nowrap">A name</p>',
    ],
    ['Too narrow to say anything', '<input placeholder="For cases that name none" style="width: 20px">'],
    [
      'Scrolls sideways',
      '<div style="overflow-y: auto; width: 90px"><h2 style="width: 300px">Much too wide</h2></div>',
    ],
    ['On top of each other', '<p>One</p><p style="margin-top: -36px">Two</p>'],
    ['Under', '<p>One</p><div style="position: absolute; inset: 0; background: white"></div>'],
  ])('find the fault: %s', async (fault, html) => {
    await studio.setContent(WELL)
    await expect(faultsOf(studio)).resolves.toEqual([])
    await studio.setContent(WELL + html)
    await expect(faultsOf(studio)).resolves.toContainEqual(expect.stringContaining(fault))
  })

  it('detect a missing button and a changed colour, but not small rendering differences of letters', async () => {
    const drawn = async (more: string): Promise<Buffer> => {
      await studio.setContent(`<body style="font: 14px sans-serif">${'<p>Some words of a page.</p>'.repeat(8)}${more}`)
      return shrink(studio, await studio.screenshot())
    }
    const button = '<button style="background: #4f46e5; color: white; padding: 8px 16px">Review</button>'
    const whole = await drawn(button)
    await expect(differenceOf(studio, whole, await drawn(button))).resolves.toMatchObject({ worst: 0, share: 0 })
    expect((await differenceOf(studio, whole, await drawn(''))).worst).toBeGreaterThan(TOLERANCE.worst)
    const pale = await drawn(button.replace('#4f46e5', '#9aa0a6'))
    expect((await differenceOf(studio, whole, pale)).worst).toBeGreaterThan(TOLERANCE.worst)
    const shaded = await drawn(`${button}<style>p { opacity: 0.9; transform: translateX(0.3px) }</style>`)
    const { worst, share } = await differenceOf(studio, whole, shaded)
    expect(worst <= TOLERANCE.worst && share <= TOLERANCE.share).toBe(true)
  })
})
