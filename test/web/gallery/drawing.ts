import type { Page } from 'playwright-core'

/** A drawing is a quarter of the page in each direction. */
const SCALE = 4
/** Width and height of a tile in pixels of the drawing: 32 px of the page. */
const TILE = 8

export interface Difference {
  /** Mean difference of the worst tile over its pixels and colours, 0 to 255. */
  readonly worst: number
  /** Position of that tile, in pixels of the page. */
  readonly at: readonly [x: number, y: number]
  /** Share of tiles that differ by more than one colour step, 0 to 1. */
  readonly share: number
}

interface InPage {
  shrinkInPage(given: readonly [png: string, scale: number]): Promise<string>
  differenceInPage(given: readonly [first: string, second: string, tile: number]): Promise<Difference>
  layoutFaults(): string[]
}

/** Plain JavaScript, which has no types: it runs in pages. */
const [STUDIO, LAYOUT] = ['./studio.mjs' as string, './layout.mjs' as string]
const { shrinkInPage, differenceInPage } = (await import(STUDIO)) as InPage
const { layoutFaults } = (await import(LAYOUT)) as InPage

/** The layout faults of a page, as sentences. */
export function faultsOf(page: Page): Promise<string[]> {
  return page.evaluate(layoutFaults)
}

/** @param shot a PNG of a page @returns a PNG of a quarter of its size */
export async function shrink(studio: Page, shot: Buffer): Promise<Buffer> {
  return Buffer.from(await studio.evaluate(shrinkInPage, [shot.toString('base64'), SCALE] as const), 'base64')
}

/** The difference between two drawings. */
export async function differenceOf(studio: Page, a: Buffer, b: Buffer): Promise<Difference> {
  const given = [a.toString('base64'), b.toString('base64'), TILE] as const
  const { at, ...rest } = await studio.evaluate(differenceInPage, given)
  return { ...rest, at: [at[0] * SCALE, at[1] * SCALE] }
}
