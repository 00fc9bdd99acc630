// Soak test: draws pages of documents at several widths.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { LOCAL_OWNER } from '../../src/domain/events.ts'
import { ask, itFits, openWebWorld } from './support.ts'

/** Documents opened at a passage, next to the chat and as separate pages. */

const QUESTION = 'What does the returns policy say about damaged goods?'
const PDF = join(import.meta.dirname, '..', '..', 'assets', 'demo', 'brindlemoor-documents', 'returns-policy.pdf')

const world = openWebWorld()
let idOf: (name: string) => string
beforeAll(async () => {
  const documents = await world.app.knowledge.store.documents(LOCAL_OWNER)
  idOf = (name) => documents.find((one) => one.name.endsWith(name))!.documentId
})

/** Whether the rendered page is not blank. */
function isDrawn(page: Page): Promise<boolean> {
  return page.evaluate(`(() => {
    const canvas = document.querySelector('canvas')
    const pixels = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data
    return pixels?.some((value, at) => at % 4 === 0 && value < 128 && pixels[at + 3] > 200) === true
  })()`)
}

async function showDrawn(page: Page, isMarked = true): Promise<void> {
  if (isMarked) await page.locator('mark.on-page').first().waitFor()
  await expect.poll(() => isDrawn(page)).toBe(true)
}

async function askForCitation(page: Page, question: string): Promise<void> {
  await page.goto(world.url)
  await ask(page, question)
  await page.locator('.cite').first().waitFor()
}

describe('a citation', () => {
  it('opens the original page of the file with the passage marked, and returns the focus', async () => {
    const { page } = await world.open()
    await askForCitation(page, QUESTION)
    await page.locator('.prose .cite').first().click()
    await showDrawn(page)
    const box = await page.locator('mark.on-page').first().boundingBox()
    const canvas = await page.locator('canvas').boundingBox()
    expect(box!.y).toBeGreaterThan(canvas!.y)
    expect(box!.y + box!.height).toBeLessThan(canvas!.y + canvas!.height)
    await page.keyboard.press('Escape')
    await page.locator('canvas').waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.className')).toContain('cite')
  })

  it('leads to the document, whose pages can be turned', async () => {
    const { page } = await world.open()
    await askForCitation(page, QUESTION)
    await page.locator('.prose .cite').first().click()
    await page.getByRole('link', { name: 'Open on its own page' }).click()
    await page.waitForURL(/\/documents\/[^/]+\?start=\d+&end=\d+/)
    await showDrawn(page)
    const cited = await page.getByText(/^page \d+ of \d+$/).textContent()
    await page.getByRole('button', { name: 'Previous page' }).click()
    await page.getByRole('button', { name: 'To the passage' }).click()
    await showDrawn(page)
    await expect(page.getByText(/^page \d+ of \d+$/).textContent()).resolves.toBe(cited)
    await page.reload()
    await showDrawn(page)
  })
})

describe('the page of a document', () => {
  itFits(world, () => [
    [`/documents/${idOf('returns-policy.pdf')}`, (page) => showDrawn(page, false)],
    [`/documents/${idOf('employee-handbook.docx')}`],
  ])

  it('shows all of a text in order, and marks only the linked passage, at any position', async () => {
    const { page } = await world.open()
    const rent = Array.from({ length: 4_000 }, (_none, n) => `Rent of month ${n} is ${n * 7}.`)
    const text = ['# Lease', '## 4. Rent', ...rent, '## 5. Notice', 'Four weeks.'].join('\n\n')
    const body = new FormData()
    body.append('file', new Blob([text]), 'lease.md')
    const sent = await fetch(`${world.url}/upload`, { method: 'POST', body })
    const { items } = (await sent.json()) as { items: { document: { documentId: string } }[] }
    const { documentId } = items[0]!.document
    const path = `/documents/${documentId}`
    const kept = (await world.app.knowledge.store.text(LOCAL_OWNER, documentId))!
    await page.goto(world.url + path)
    const region = page.getByRole('region', { name: 'lease.md' })
    await region.getByText('Rent of month 0 is 0.').waitFor()
    await expect(region.locator('.whitespace-pre-wrap').textContent()).resolves.toBe(kept)
    await expect(page.locator('mark').count()).resolves.toBe(0)
    const start = kept.indexOf('Rent of month 3000')
    await page.goto(`${world.url}${path}?start=${start}&end=${start + 18}`)
    await expect(region.locator('mark.passage').textContent()).resolves.toBe('Rent of month 3000')
    await expect.poll(async () => (await page.locator('mark.passage').boundingBox())?.y).toBeLessThan(900)
    // Another passage, far before the visible part.
    await page.getByRole('list', { name: 'Passages' }).getByRole('button').first().click()
    await expect.poll(() => region.locator('mark.passage').textContent()).toContain('Rent of month 0 is 0.')
    await page.goto(`${world.url}${path}?start=900000&end=900010`)
    await page.getByText(/^This passage does not exist/).waitFor()
    await region.getByText('Rent of month 0 is 0.').waitFor()
  })

  it('names sheets as sheets, and marks their rows', async () => {
    const { page } = await world.open()
    await page.goto(`${world.url}/documents/${idOf('price-list-2026.xlsx')}`)
    await page
      .getByText(/^sheet 1$/)
      .first()
      .waitFor()
    await expect(page.locator('main').textContent()).resolves.not.toMatch(/\d pages?\b|page \d/)
    await page.getByRole('list', { name: 'Passages' }).getByRole('button').first().click()
    await page.locator('mark.passage').first().waitFor()
  })

  it('moves between passages by J and K, and finds words', async () => {
    const { page } = await world.open()
    await page.goto(`${world.url}/documents/${idOf('employee-handbook.docx')}`)
    const open = page.locator('button[aria-current=true]')
    await page.locator('button[aria-current]').first().waitFor()
    await page.keyboard.press('j')
    const first = await open.textContent()
    await page.keyboard.press('j')
    await expect.poll(() => open.textContent()).not.toBe(first)
    await page.waitForURL(/start=\d+/)
    await page.keyboard.press('k')
    await expect.poll(() => open.textContent()).toBe(first)
    await page.getByRole('searchbox', { name: 'Find in this document' }).fill('holiday')
    await page.getByText(/contains? these words/).waitFor()
    await expect(page.locator('aside mark').first().textContent()).resolves.toMatch(/holiday/i)
    await page.getByRole('searchbox').fill('xyzzy')
    await page.getByText('No passage contains these words.').waitFor()
  })

  it('reports a missing document', async () => {
    const { page } = await world.open('/documents/none', { allowed: /status of 404/ })
    await page.getByRole('heading', { name: 'This document does not exist' }).waitFor()
    expect(await page.locator('main').getByRole('link', { name: 'Documents' }).count()).toBeGreaterThan(0)
  })

  it('is shown as being read after the upload', async () => {
    const { page } = await world.open('/documents')
    // The bidi mark would reverse its name.
    const sent = {
      name: 'long\u202Edm.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from('# Kettles\n\nOf tin.\n'),
    }
    let goOn = (): void => undefined
    const told = new Promise<void>((resolve) => (goOn = resolve))
    const { ingest } = world.app.knowledge
    const add = ingest.add.bind(ingest)
    vi.spyOn(ingest, 'add').mockImplementationOnce(async (...given) => {
      await told
      return add(...given)
    })
    await page.locator('input[type=file]').setInputFiles(sent)
    await page.getByText(/^long⟨U\+202E⟩dm\.md .+ read …$/).waitFor()
    goOn()
    await expect.poll(() => page.getByRole('link', { name: 'longdm.md' }).count(), { timeout: 90_000 }).toBe(1)
    await page.getByRole('button', { name: 'Delete: longdm.md' }).click()
  })

  it('removes the document, unless it is the file of a single question', async () => {
    const { page } = await world.open()
    const bytes = await readFile(PDF)
    await page.goto(`${world.url}/documents`)
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'sent.pdf', mimeType: 'application/pdf', buffer: bytes })
    await page.getByRole('link', { name: 'sent.pdf' }).click({ timeout: 90_000 })
    await showDrawn(page, false)
    const { pathname } = new URL(page.url())
    const isThere = async (): Promise<boolean> => (await page.request.get(world.url + pathname)).ok()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL(/\/documents$/)
    await page.getByRole('link', { name: 'sent.pdf' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'sent.pdf' }).waitFor()
    await expect(isThere()).resolves.toBe(true)
    await page.getByRole('button', { name: 'Delete: sent.pdf' }).click()
    await page.getByRole('link', { name: 'sent.pdf' }).waitFor({ state: 'detached' })
    // It is deleted as soon as undo is no longer offered.
    await page.getByRole('status').getByRole('button', { name: 'Close' }).click()
    await expect.poll(isThere).toBe(false)
    await page.getByRole('link', { name: 'returns-policy.pdf' }).waitFor()
    await page.getByRole('link', { name: 'sent.pdf' }).waitFor({ state: 'detached' })
    const body = new FormData()
    body.append('file', new Blob([bytes]), 'contract.pdf')
    const sent = await fetch(`${world.url}/attachments`, { method: 'POST', body })
    const { items } = (await sent.json()) as { items: { documentId: string }[] }
    await page.goto(`${world.url}/documents/${items[0]!.documentId}`)
    await showDrawn(page, false)
    await page.getByText('Attached to a question').waitFor()
    await expect(page.getByRole('button', { name: 'Delete' }).count()).resolves.toBe(0)
  })
})
