import type { CDPSession, Page } from 'playwright-core'
import { modelsConfigFromEnv } from '../src/app/config/models.ts'
import { startModelServer } from '../src/testing/model-server.ts'
import { makeBuildsFolder } from '../test/support/builds.ts'
import { REPLIES } from '../test/web/gallery/replies.ts'
import { SCENES, type Scene } from '../test/web/gallery/scenes.ts'
import { openGallery } from '../test/web/gallery/show.ts'
import { createWebWorld } from '../test/web/support.ts'

/**
 * What the web app costs a browser while it moves: script, style and layout of a frame of scrolling and of an update of a streamed answer, beside the same
 * page with little in it. `npm run bench:web`.
 */

const FRAMES = 120
const WORDS_OF_ANSWER = 20_000

interface Cost {
  /** Milliseconds of script, style and layout for each frame or update. */
  readonly ms: number
  /** Elements of the page when it is over. */
  readonly nodes: number
  readonly times: number
}

/** Milliseconds that the page has spent on script, style and layout so far. */
async function spent(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  const of = (name: string): number => metrics.find((metric) => metric.name === name)!.value
  return (of('ScriptDuration') + of('RecalcStyleDuration') + of('LayoutDuration')) * 1_000
}

/** @param act gives how many frames or updates there were */
async function costOf(page: Page, act: () => Promise<number>): Promise<Cost> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const before = await spent(session)
  const times = await act()
  const ms = ((await spent(session)) - before) / times
  const nodes = Number(await page.evaluate('document.querySelectorAll("*").length'))
  return { ms, nodes, times }
}

/** Scrolls what holds the most, frame by frame, to its end. */
function scrolled(page: Page): Promise<number> {
  return page.evaluate<number>(`(async () => {
    const boxes = [...document.querySelectorAll('*')].filter((box) => /auto|scroll/.test(getComputedStyle(box).overflowY))
    const hidden = (box) => box.scrollHeight - box.clientHeight
    const box = boxes.sort((a, b) => hidden(b) - hidden(a))[0]
    const step = hidden(box) / ${FRAMES}
    for (let frame = 1; frame <= ${FRAMES}; frame++) {
      box.scrollTop = step * frame
      await new Promise(requestAnimationFrame)
    }
    return ${FRAMES}
  })()`)
}

async function scrolling(scenes: Readonly<Record<string, Scene>>): Promise<Record<string, Cost>> {
  const gallery = await openGallery()
  const costs: Record<string, Cost> = {}
  try {
    for (const [name, scene] of Object.entries(scenes)) {
      const { page } = await gallery.show(scene, 1440, 'light')
      costs[name] = await costOf(page, () => scrolled(page))
    }
  } finally {
    await gallery.close()
  }
  return costs
}

/** A conversation list as long as it is asked for. */
function conversations(count: number): Scene {
  const { items } = REPLIES['/conversations'] as { items: readonly { conversationId: string; title: string }[] }
  const many = Array.from({ length: count }, (_none, n) => {
    const one = items[n % items.length]!
    return { ...one, conversationId: `${one.conversationId}-${n}`, title: `${one.title} ${n}` }
  })
  return { ...SCENES['conversations']!, shows: many[0]!.title, replies: { '/conversations': { items: many } } }
}

/** An answer that is written word by word; an update is a change of what is shown of it. */
async function streaming(words: number): Promise<Cost> {
  const sentence = 'The orders of the month were **shipped** as agreed, and none of them was returned. '.split(/(?<= )/)
  const chunks = Array.from(
    { length: words },
    (_none, n) => sentence[n % sentence.length]! + (n % 90 === 89 ? '\n\n' : ''),
  )
  const sql = 'SELECT count(*) AS customers FROM customers'
  const models = await startModelServer([
    { when: 'You write SQL', reply: { json: { database: 'brindlemoor', sql, explanation: 'Counts customers.' } } },
    { when: 'senior business intelligence agent', reply: { text: chunks.join(''), chunks } },
  ])
  const config = modelsConfigFromEnv({ TUTTI_MODEL_URL: models.url, TUTTI_MODEL: 'compatible:scripted' })
  const world = await createWebWorld({ models: config })
  try {
    const { page } = await world.open({ reducedMotion: 'no-preference' })
    await page.goto(world.url)
    await page.getByRole('textbox').fill('How many customers are there?')
    await page.evaluate(`
      globalThis.updates = 0
      new MutationObserver((changes) => {
        if (changes.some(({ target }) => (target.parentElement ?? target).closest?.('.prose'))) globalThis.updates++
      }).observe(document.body, { childList: true, subtree: true, characterData: true })`)
    await page.keyboard.press('Enter')
    // The page of the conversation has come by then.
    await page.locator('article .prose').first().waitFor({ timeout: 60_000 })
    const updates = async (): Promise<number> => Number(await page.evaluate('globalThis.updates'))
    const before = await updates()
    return await costOf(page, async () => {
      await page.locator('article').getByText('Answered', { exact: true }).waitFor({ timeout: 600_000 })
      return (await updates()) - before
    })
  } finally {
    await world.close()
    await models.close()
  }
}

const row = ({ ms, nodes, times }: Cost, beside: Cost) => ({
  'script, style and layout': `${ms.toFixed(1)} ms of ${times}`,
  beside: `${beside.ms.toFixed(1)} ms of ${beside.times}`,
  elements: nodes,
  'elements beside': beside.nodes,
})

const builds = makeBuildsFolder()
try {
  const costs = await scrolling({
    table: SCENES['chat-table-long']!,
    'short table': SCENES['chat-answered']!,
    thousand: conversations(1_000),
    fifty: conversations(50),
  })
  console.table({
    'A frame of scrolling 5,000 rows, beside 3': row(costs['table']!, costs['short table']!),
    'A frame of scrolling 1,000 conversations, beside 50': row(costs['thousand']!, costs['fifty']!),
    [`An update of an answer of ${WORDS_OF_ANSWER.toLocaleString('en')} words, beside 5,000`]: row(
      await streaming(WORDS_OF_ANSWER),
      await streaming(5_000),
    ),
  })
} finally {
  builds.remove()
}
