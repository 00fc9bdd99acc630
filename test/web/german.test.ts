import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Items } from '../../src/client/api.ts'
import type { Schemas } from '../../src/client/api-types.ts'
import { ERROR_CODES } from '../../src/core/errors.ts'
import { languageOf } from '../../src/language/which-language.ts'
import { DEMO_SUGGESTIONS } from '../../src/cli/commands/served-demo.ts'
import { errorsDe } from '../../src/web/words/pages/errors-de.ts'
import { de } from '../../src/web/words/de.ts'
import { en } from '../../src/web/words/en.ts'
import { createWebWorld, type WebWorld, type Window } from './support.ts'

/** What the server says of an error, in the language of the page. */

let world: WebWorld
beforeAll(async () => void (world = await createWebWorld()))
afterAll(() => world.close())

/** Each text of the page that a person sees, is told or hovers over, without what was asked, answered, or stands in data. */
const TEXTS = `[...document.querySelectorAll('body *')]
  .filter((one) => one.checkVisibility() && !one.closest('script, style, pre, code, .mono, .prose, [data-move], [lang=en]'))
  .flatMap((one) => [
    ...[...one.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ textContent }) => textContent),
    ...['title', 'aria-label', 'placeholder', 'alt'].map((name) => one.getAttribute(name) ?? ''),
  ])
  .map((text) => text.trim())`

/** Words that English has and German has not. */
const ENGLISH =
  /\b(?:the|of|and|is|are|not|with|for|from|by|to|this|that|has|have|no|yes|it|on|at|be|all|only|your|you|its|which|what|how|new|read|write)\b/i

/** Each text of the English words that the German ones do not have, too. */
function onlyEnglish(): ReadonlySet<string> {
  const textsOf = (words: unknown): string[] =>
    typeof words === 'string' ? [words] : typeof words === 'object' ? Object.values(words ?? {}).flatMap(textsOf) : []
  const german = new Set(textsOf(de))
  return new Set(textsOf(en).filter((text) => /\p{L}{2}/u.test(text) && !german.has(text)))
}

/** Pages as the app has them: those that go by a name, and one of each that goes by an id. */
const ROUTES = [
  ...readFileSync(new URL('../../src/web/app/router.tsx', import.meta.url), 'utf8').matchAll(/page\(\s*'([^']+)'/g),
].map(([, path]) => path!)

/** What the demo's people wrote, and a goal, which is put in English as questions are. */
const DATA = [
  /brindlemoor|newsletter-from-outside|Filters and Papers|Cups and Lids|Tea and Chocolate|Number of open orders/i,
  /^Why do customers send goods back|^answers “.*” and writes a report$/,
]

/** Runs of each kind, and what people have made, on a page of theirs. */
async function fill({ page }: Window): Promise<{ readonly runs: readonly string[]; readonly data: string }> {
  const asked = [...DEMO_SUGGESTIONS.map(({ question }) => question), 'How many unicorns are there in the stable?']
  const runs: string[] = []
  for (const question of asked) runs.push(await world.app.start(question))
  const get = async <T>(path: string): Promise<T> => (await page.request.get(world.url + path)).json()
  const isOver = async (): Promise<boolean> =>
    (await get<Items<unknown>>('/approvals')).items.length === 1 &&
    (await get<Items<Schemas['Run']>>('/runs')).items.every(({ status }) => /finished|waiting/.test(status))
  await expect.poll(isOver, { timeout: 60_000 }).toBe(true)
  for (const [path, data] of [
    ['/collections', { name: 'Verträge' }],
    ['/schedules', { request: { question: asked[0] }, cron: '0 6 * * *' }],
  ] as const)
    expect((await page.request.post(world.url + path, { data })).status()).toBeLessThan(300)
  const data: unknown[] = [asked]
  for (const { runId, outcome, gist } of (await get<Items<Schemas['Run']>>('/runs')).items) {
    const { tasks } = await get<{ tasks: { task: string }[] }>(`/runs/${runId}/plan`)
    data.push(
      tasks.map(({ task }) => task),
      outcome === 'answered' ? gist : '',
    )
  }
  for (const { documentId } of (await get<Items<Schemas['Document']>>('/documents')).items)
    data.push(await get(`/documents/${documentId}/passages`))
  return { runs, data: plain(JSON.stringify(data)) }
}

/** Letters and numbers alone. */
function plain(text: string): string {
  return text
    .replaceAll(/\\[nrt]/g, ' ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()
}

describe('pages', () => {
  it('say nothing in English', async () => {
    const opened = await world.open({ locale: 'de-DE' })
    const { page, context } = opened
    const { runs, data } = await fill(opened)
    const english = onlyEnglish()
    const [found, seen, texts] = [new Set<string>(), new Set<string>(), [] as string[]]
    const isData = (text: string): boolean =>
      DATA.some((one) => one.test(text)) ||
      // “Compare: How many …?”
      [text, text.replace(/^[^:›]*[:›] /, '')].some((one) => data.includes(plain(one)))
    const waiting = [
      '/',
      ...ROUTES.filter((path) => !path.includes('$')),
      ...runs
        .slice(-3)
        .flatMap((runId) => ['', '?tab=plan', '?tab=trace', '?tab=events'].map((tab) => `/runs/${runId}${tab}`)),
    ]
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      await page.goto(world.url + path)
      await page.getByText(/\p{L}/u).nth(5).waitFor()
      await expect.poll(() => page.locator('.skeleton').count(), { timeout: 20_000 }).toBe(0)
      await page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true`)
      const read = await page.evaluate<string[]>(TEXTS)
      texts.push(...read)
      // The reference of the API is in English.
      const left = path === '/docs' ? [] : await page.locator('[lang=en]').allTextContents()
      for (const text of [
        ...read.filter((one) => english.has(one) || ENGLISH.test(one.replaceAll(/„.*?“|Darin: .*/gs, ''))),
        ...left,
      ])
        if (!isData(text)) found.add(`${path.replace(/[\da-f-]{36}/, '…')}: ${text}`)
      const links = page.locator('a[href^="/"]')
      for (const href of await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')!))) {
        const [where = ''] = href.split('?')
        const route = ROUTES.find((one) => isOf(one, where))
        // One of each kind, but all parts of a page.
        const key = route?.endsWith('/$part') ? where : route
        if (key === undefined || ROUTES.includes(where) || seen.has(key)) continue
        seen.add(key)
        waiting.push(href)
      }
    }
    expect([...found]).toEqual([])
    expect(seen.size).toBeGreaterThan(12)
    expect(texts.filter((text) => languageOf(text) === 'de').length).toBeGreaterThan(50)
    await context.close()
  }, 180_000)
})

function isOf(route: string, path: string): boolean {
  return new RegExp(`^${route.replaceAll(/\$\w+/g, '[^/]+')}$`).test(path)
}

describe('errors', () => {
  it('have a sentence each', () => {
    expect(Object.keys(errorsDe).toSorted()).toEqual(ERROR_CODES.toSorted())
  })

  it('are told in German, with their values', async () => {
    const { page, context } = await world.open({ locale: 'de-DE' })
    await page.goto(`${world.url}/teams/none`)
    const alert = page.getByRole('alert')
    await alert.getByText('Es gibt kein Team none.').waitFor()
    await expect(alert.locator('[lang=en]').count()).resolves.toBe(0)
    await page.goto(`${world.url}/runs/none`)
    await page.getByRole('heading', { name: 'Diesen Lauf gibt es nicht, oder er gehört jemand anderem.' }).waitFor()
    await expect(page.locator('main [lang=en]').count()).resolves.toBe(0)
    await context.close()
  })

  it.each(['/documents', '/'])('of a refused file are told in German, too, beside its name: %s', async (path) => {
    const { page, context } = await world.open({ locale: 'de-DE' })
    await page.goto(world.url + path)
    const file = { name: 'bild.exe', mimeType: 'application/octet-stream', buffer: Buffer.from([0, 1, 2, 3]) }
    await page.locator('input[type=file]').first().setInputFiles(file)
    const alert = page.getByRole('alert')
    await alert.getByText(/bild\.exe ist von einer Art, die sich nicht lesen lässt/).waitFor()
    await expect(alert.locator('[lang=en]').count()).resolves.toBe(0)
    await context.close()
  })

  it('are told in the words of the server in English, and say where there is no server', async () => {
    const { page, context } = await world.open()
    await page.goto(`${world.url}/teams/none`)
    await page.getByRole('alert').getByText('There is no team none.').waitFor()
    await page.goto(`${world.url}/schedules`)
    await page.getByRole('button', { name: 'New schedule' }).click()
    await page.getByLabel('Question').fill('What is 6 times 7?')
    await page.route('**/schedules', (route) => route.abort())
    await page.getByRole('button', { name: 'Make it' }).click()
    await expect.poll(() => page.getByRole('alert').first().textContent()).toContain('Tutti does not answer.')
    await context.close()
  })
})
