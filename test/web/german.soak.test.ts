// Soak test: opens all pages in German.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Items } from '../../src/client/api.ts'
import type { Schemas } from '../../src/client/api-types.ts'
import { ERROR_CODES } from '../../src/domain/errors.ts'
import { LOCAL_OWNER } from '../../src/domain/events.ts'
import { parseTeam } from '../../src/domain/team.ts'
import { detectLanguage } from '../../src/documents/search/detect-language.ts'
import { DEMO_SUGGESTIONS } from '../../src/cli/commands/served-demo.ts'
import { de, en } from '../../src/web/locales/texts.fixture.ts'
import { isLong, sample } from '../support/length.ts'
import { openWebWorld, type Window } from './support.ts'

/** The app in German. Texts of the server are English, and marked as such. */

const world = openWebWorld()

/** Each visible text, label and tooltip of the page, without questions, answers and data. */
const TEXTS = `[...document.querySelectorAll('body *')]
  .filter((one) => one.checkVisibility() && !one.closest('script, style, pre, code, .mono, .prose, [data-move], [lang=en]'))
  .flatMap((one) => [
    ...[...one.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ textContent }) => textContent),
    ...['title', 'aria-label', 'placeholder', 'alt'].map((name) => one.getAttribute(name) ?? ''),
  ])
  .map((text) => text.trim())`

/** Words that exist in English but not in German. */
const ENGLISH =
  /\b(?:the|of|and|is|are|not|with|for|from|by|to|this|that|has|have|no|yes|it|on|at|be|all|only|your|you|its|which|what|how|new|read|write)\b/i

/** English texts that do not occur in the German ones. */
function onlyEnglish(): ReadonlySet<string> {
  const textsOf = (words: unknown): string[] =>
    typeof words === 'string' ? [words] : typeof words === 'object' ? Object.values(words ?? {}).flatMap(textsOf) : []
  const german = new Set(textsOf(de))
  return new Set(textsOf(en).filter((text) => /\p{L}{2}/u.test(text) && !german.has(text)))
}

/** The routes of the app. */
const ROUTES = [
  ...readFileSync(new URL('../../src/web/app/router.tsx', import.meta.url), 'utf8').matchAll(/page\(\s*'([^']+)'/g),
].map(([, path]) => path!)

/** What the demo's people wrote, and a goal, which is put in English as questions are. */
const TEAM = parseTeam({
  name: 'counters',
  purpose: 'Zählt Kunden.',
  agents: [
    { name: 'finder', purpose: 'Rechnet.', tools: ['run_python'], task: 'What is 2 + 2?' },
    { name: 'writer', purpose: 'Schreibt es auf.', task: 'Aufschreiben.', after: ['finder'] },
  ],
  checks: [{ question: 'What is 2 + 2?' }],
})
const DATA = [
  /brindlemoor|newsletter-from-outside|Filters and Papers|Cups and Lids|Tea and Chocolate|Number of open orders/i,
  /^small · 127|^Why do customers send goods back|^answers “.*” and writes a report$/,
]

interface Begun {
  readonly runId: string
  readonly conversationId: string
}

/** Creates runs of each kind and user data, so that each page has content. */
async function fill({ page }: Window) {
  const asked = [...DEMO_SUGGESTIONS.map(({ question }) => question), 'How many unicorns are there in the stable?']
  const [runs, conversations] = [[] as string[], [] as string[]]
  for (const question of asked) {
    const answer = await page.request.post(`${world.url}/runs`, { data: { question } })
    const { runId, conversationId } = (await answer.json()) as Begun
    runs.push(runId)
    conversations.push(conversationId)
  }
  await world.app.teams.save(LOCAL_OWNER, { team: TEAM, key: 'k', at: 1_000 })
  await world.app.teams.settle(LOCAL_OWNER, 'counters', 1, 'ready', '')
  const get = async <T>(path: string): Promise<T> => (await page.request.get(world.url + path)).json()
  const isOver = async (): Promise<boolean> =>
    (await get<Items<unknown>>('/approvals')).items.length === 1 &&
    (await get<Items<Schemas['Run']>>('/runs')).items.every(({ status }) => /finished|waiting/.test(status))
  await expect.poll(isOver, { timeout: 120_000 }).toBe(true)
  for (const [path, data] of [
    ['/collections', { name: 'Verträge' }],
    ['/schedules', { request: { question: asked[0] }, cron: '0 6 * * *' }],
  ] as const)
    expect((await page.request.post(world.url + path, { data })).status()).toBeLessThan(300)
  const data: unknown[] = [asked, TEAM, await get('/approvals')]
  for (const { runId, outcome, gist } of (await get<Items<Schemas['Run']>>('/runs')).items) {
    const { tasks } = await get<{ tasks: { task: string }[] }>(`/runs/${runId}/plan`)
    data.push(
      tasks.map(({ task }) => task),
      outcome === 'answered' ? gist : '',
    )
  }
  for (const { documentId } of (await get<Items<Schemas['Document']>>('/documents')).items)
    data.push(await get(`/documents/${documentId}/passages`))
  return { runs, conversations, data: plain(JSON.stringify(data)) }
}

/** Letters and digits only. */
function plain(text: string): string {
  return text
    .replaceAll(/\\[nrt]/g, ' ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()
}

/** The English texts of a page, and all its texts. */
async function englishOn(page: Page, isData: (text: string) => boolean) {
  await page.getByText(/\p{L}/u).nth(2).waitFor()
  await expect.poll(() => page.locator('.skeleton').count()).toBe(0)
  await page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true`)
  const texts = await page.evaluate<string[]>(TEXTS)
  const said = texts.filter((one) => english.has(one) || ENGLISH.test(one.replaceAll(/„.*?“|Darin: .*/gs, '')))
  const where = page
    .url()
    .replace(/^\w+:\/\/[^/]+/, '')
    .replace(/[\da-f-]{36}/, '…')
  return { texts, found: said.filter((text) => !isData(text)).map((text) => `${where}: ${text}`) }
}

const english = onlyEnglish()
/** Refusals, and a request that fails. */
const REFUSED = /status of 40\d|ERR_FAILED/

/** Whether a text contains a user's words: “Compare: How many …?” */
function isAmong(data: string): (text: string) => boolean {
  return (text) =>
    DATA.some((one) => one.test(text)) ||
    [text, text.replace(/^[^:›]*[:›] /, '')].some((one) => data.includes(plain(one)))
}

describe('pages', () => {
  it('say nothing in English', async () => {
    const opened = await world.open('', { locale: 'de-DE' })
    const { page } = opened
    const { runs, conversations, data } = await fill(opened)
    const isData = isAmong(data)
    const [found, seen, texts] = [new Set<string>(), new Set<string>(), [] as string[]]
    const waiting = [
      '/',
      ...sample(
        ROUTES.filter((path) => !path.includes('$')),
        2,
      ),
      ...sample(conversations, 2).map((id) => `/c/${id}`),
      ...sample(runs.slice(-3), 3).flatMap((runId) =>
        ['', '?tab=plan', '?tab=trace'].map((tab) => `/runs/${runId}${tab}`),
      ),
    ]
    const look = async (): Promise<void> => {
      const read = await englishOn(page, isData)
      texts.push(...read.texts)
      for (const one of read.found) found.add(one)
    }
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      await page.goto(world.url + path)
      await look()
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
    // Opened dialogs: a mail that waits for approval, and a team in the editor.
    await page.goto(`${world.url}/approvals`)
    await page.getByRole('button', { name: de.approval.review }).click()
    await page.getByRole('dialog').waitFor()
    await look()
    await page.goto(`${world.url}/teams/counters`)
    await page.getByRole('button', { name: de.designer.edit }).click()
    await page.getByRole('checkbox').first().waitFor()
    await look()
    await page.getByRole('button', { name: de.designer.add }).click()
    await page.getByLabel(de.designer.name, { exact: true }).fill('composer')
    await look()
    expect([...found]).toEqual([])
    expect(seen.size).toBeGreaterThan(isLong ? 12 : 8)
    expect(texts.filter((text) => detectLanguage(text) === 'de').length).toBeGreaterThan(50)
  }, 240_000)
})

function isOf(route: string, path: string): boolean {
  return new RegExp(`^${route.replaceAll(/\$\w+/g, '[^/]+')}$`).test(path)
}

describe('errors', () => {
  it('each have a sentence', () => {
    expect(Object.keys(de.errors).toSorted()).toEqual(ERROR_CODES.toSorted())
  })

  it.each([
    ['/teams/none', de.errors['NotFound']!, 'There is no team none.'],
    ['/documents', de.errors['DocumentError']!, 'bild.exe'],
    ['/', de.errors['DocumentError']!, 'bild.exe'],
  ])('on %s are shown in German by their code, with the server’s sentence in English', async (path, meaning, said) => {
    const { page } = await world.open(path, { locale: 'de-DE', allowed: REFUSED })
    if (path !== '/teams/none') {
      const file = { name: 'bild.exe', mimeType: 'application/octet-stream', buffer: Buffer.from([0, 1, 2, 3]) }
      await page.locator('input[type=file]').first().setInputFiles(file)
    }
    const alert = page.getByRole('alert')
    await alert.getByText(meaning).waitFor()
    expect(await alert.locator('[lang=en]').textContent()).toContain(said)
  })

  it('are shown with the server’s message in English, and report a missing server', async () => {
    const { page } = await world.open('/teams/none', { allowed: REFUSED })
    await page.getByRole('alert').getByText('There is no team none.').waitFor()
    await page.goto(`${world.url}/schedules`)
    await page.getByRole('button', { name: 'New schedule' }).click()
    await page.getByLabel('Question').fill('What is 6 times 7?')
    await page.route('**/schedules', (route) => route.abort())
    await page.getByRole('button', { name: 'Create schedule' }).click()
    await expect.poll(() => page.getByRole('alert').first().textContent()).toContain('Tutti does not answer.')
  })
})

describe('pages of accounts', () => {
  it('say nothing in English', async () => {
    const { accounts } = world.app.people
    const account = { username: 'root', password: 'a quiet roastery at noon' }
    const { userId } = await accounts.register(account, 'closed')
    const reset = await accounts.createResetToken(userId, userId)
    const found: string[] = []
    const paths = ['/', '/runs', `/#reset=${reset}`, '/#reset=none']
    for (const path of sample(paths, 2)) {
      const { page } = await world.open(path, { locale: 'de-DE', allowed: REFUSED })
      const password = page.locator('input[type=password]')
      await password.waitFor()
      found.push(...(await englishOn(page, () => false)).found)
      // Errors are shown, too.
      const name = page.locator('input[autocomplete=username]')
      if ((await name.count()) > 0) await name.fill('nobody')
      await password.fill('a quiet roastery at night')
      await page.locator('form button[type=submit], form button.btn-primary').first().click()
      await page.locator('[role=alert], [role=status]').first().waitFor()
      found.push(...(await englishOn(page, () => false)).found)
    }
    expect([...new Set(found)]).toEqual([])
  })
})
