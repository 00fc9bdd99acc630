import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineAgent } from '../../src/domain/actor.ts'
import { TuttiError } from '../../src/domain/errors.ts'
import { BY_USER } from '../../src/domain/provenance.ts'
import { defineTool } from '../../src/domain/tool.ts'
import { gate } from '../support/waiting.ts'
import { sample } from '../support/length.ts'
import { answerOf, ask, button, ended, faultsIn, MAIL, openWebWorld, over, TWO_PARTS } from './support.ts'

/** Actions in a conversation: files, plans, edited questions, decisions; in a real browser with the real server. */

const letter = defineTool({
  name: 'send_letter',
  description: 'Sends a letter.',
  effect: 'irreversible',
  provenance: BY_USER,
  input: z.object({ subject: z.string() }),
  run: async () => undefined,
})
/** Follows instructions, like an agent with a model. */
const sender = defineAgent({
  name: 'sender',
  description: 'Sends letters.',
  capabilities: [],
  useCases: [],
  keywords: ['pigeon'],
  followsInstructions: true,
  async run(_task, ctx) {
    await ctx.call(letter, { subject: 'Orders' }).catch((thrown: unknown) => {
      if (!TuttiError.is(thrown, 'ApprovalInstructed')) throw thrown
      return ctx.call(letter, { subject: `Orders ${thrown.details!.instructions}` })
    })
    return { answer: 'The letter is on its way.' }
  },
})

/** Asks the user before it answers. */
const asker = defineAgent({
  name: 'asker',
  description: 'Asks for a month.',
  capabilities: [],
  useCases: [],
  keywords: ['parrot'],
  async run(_task, ctx) {
    const year = await ctx.question('Which year?', { choices: ['2025', '2026'] })
    return { answer: `You mean ${await ctx.question('Which month?')} ${year}.` }
  },
})

const world = openWebWorld({ agents: [sender, asker] })

/** Denies the pending approval elsewhere. */
async function deny(page: Page): Promise<void> {
  const reply = await page.request.get(`${world.url}/approvals?status=pending`)
  const { items } = (await reply.json()) as { items: { approvalId: string }[] }
  const { approvalId } = items.at(-1)!
  await page.request.post(`${world.url}/approvals/${approvalId}/decide`, { data: { decision: 'denied' } })
}

describe('files of a question', () => {
  it('are searched and cited, and an unreadable one shows the reason', async () => {
    // The browser's message about the refused file.
    const { page } = await world.open('/', { allowed: /status of 400/ })
    await page.getByRole('textbox').waitFor()
    await page.locator('input[type=file]').setInputFiles([
      { name: 'lease.md', mimeType: 'text/markdown', buffer: Buffer.from('The lease of the van ends on 3 May 2027.') },
      { name: 'sound.xyz', mimeType: 'application/octet-stream', buffer: Buffer.from([0, 1, 2]) },
    ])
    await expect(page.getByRole('alert').textContent()).resolves.toContain('sound.xyz has an unsupported format')
    await button(page, 'Remove: sound.xyz').click()
    await ask(page, 'When does the lease of the van end?')
    await over(page)
    await expect(answerOf(page)).resolves.toContain('3 May 2027')
    await page.locator('.cite').first().click()
    await expect(page.locator('aside mark.passage').last().textContent()).resolves.toContain('The lease of the van')
  })
})

describe('a question with a file', () => {
  it('is sent once the file is read', async () => {
    const { page } = await world.open('/')
    const read = gate()
    await page.route('**/attachments', async (route) => {
      await read.promise
      await route.continue()
    })
    const data = {
      name: 'rent.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from('The rent of the hall is 900 euros.'),
    }
    await page.locator('input[type=file]').setInputFiles(data)
    await page.getByRole('textbox').fill('What is the rent of the hall?')
    await page.getByRole('textbox').press('Enter')
    await expect.poll(() => button(page, 'Send').isDisabled()).toBe(true)
    read.open()
    await over(page)
    await expect(answerOf(page)).resolves.toContain('900 euros')
  })
})

describe('a question to the user', () => {
  it('is answered with a choice or in the composer, and is still shown afterwards', async () => {
    const { page } = await world.open('/')
    await ask(page, 'Ask the parrot which month I mean.')
    await button(page, '2026').click()
    await page.getByText('Which month?').waitFor()
    await page.getByRole('textbox').fill('May')
    await page.getByRole('textbox').press('Enter')
    await ended(page)
    await expect(answerOf(page)).resolves.toContain('You mean May 2026.')
    await page.reload()
    const turn = page.getByRole('article')
    await turn.getByText('Which year?').waitFor()
    for (const text of ['2026', 'Which month?', 'May']) await turn.getByText(text, { exact: true }).waitFor()
    await expect(button(page, 'Do not answer').count()).resolves.toBe(0)
  })
})

describe('a pasted text', () => {
  it('keeps its answer in view', async () => {
    const { page } = await world.open('/')
    await ask(page, 'The customer asked which orders of the depot in Bergen were late. '.repeat(80))
    await over(page)
    const { height } = page.viewportSize()!
    const { y } = (await page.locator('article .prose').boundingBox())!
    expect(y).toBeGreaterThan(0)
    expect(y).toBeLessThan(height)
  })
})

describe('agents and commands', () => {
  it('are found and selected by the keyboard', async () => {
    const { page } = await world.open()
    // With slow rendering, text that is typed before the next frame stays in place.
    await page.addInitScript(`{
      const soon = requestAnimationFrame
      window.requestAnimationFrame = (draw) => soon(() => setTimeout(() => draw(performance.now()), 200))
    }`)
    await page.goto(world.url)
    const field = page.getByRole('textbox')
    // The last entry is scrolled into view.
    await field.fill('/')
    await field.press('ArrowUp')
    const bottom = async (what: Locator): Promise<number> =>
      await what.boundingBox().then((box) => box!.y + box!.height)
    const last = page.getByRole('option').last()
    await page.locator('[role=option][aria-selected=true]').and(last).waitFor()
    await expect
      .poll(async () => (await bottom(last)) - (await bottom(page.getByRole('listbox'))))
      .toBeLessThanOrEqual(0)
    await field.fill('/pl')
    await page.getByRole('option', { name: /plan/ }).waitFor()
    await field.press('Enter')
    await expect(page.getByRole('switch').getAttribute('aria-checked')).resolves.toBe('true')
    await page.getByRole('switch').click()
    await field.pressSequentially('@data')
    await page.getByRole('option', { name: /Database/ }).waitFor()
    await field.press('Tab')
    await expect(field.inputValue()).resolves.toBe('@sql ')
    await field.pressSequentially('How many customers are there?')
    await field.press('Enter')
    await ended(page)
    await expect(page.locator('article').getAttribute('aria-label')).resolves.toBe('How many customers are there?')
  })

  it('an unselected source is not queried', async () => {
    const { page } = await world.open('/')
    await button(page, 'All sources').click()
    await page.getByRole('menuitemcheckbox', { name: /Database/ }).click()
    await page.keyboard.press('Escape')
    await button(page, '2 of 3 sources').waitFor()
    await ask(page, 'How many customers are there?')
    await over(page)
    await expect(page.getByLabel('Time, agents and cost').textContent()).resolves.not.toContain('Database')
  })
})

describe('a plan', () => {
  it('shows estimates from the user’s runs, updated with each change, and is rewired on the graph', async () => {
    await world.app.runs.outcome(await world.app.start('How many customers are there?'))
    await world.app.runs.outcome(
      await world.app.start({ question: TWO_PARTS, preferAgents: ['rag'], disableAgents: ['sql'] }),
    )
    const { page } = await world.open('/')
    await page.getByRole('switch').click()
    await ask(page, TWO_PARTS)
    const card = page.getByRole('region', { name: 'Here is the plan' })
    await card.waitFor()
    const usage = await page.request.get(`${world.url}/runs/usage?from=2020-01-01T00:00:00Z&limit=100`)
    const { items } = (await usage.json()) as { items: { jobs: { actor: string; status: string }[] }[] }
    const runsOf = (...agents: string[]): string => {
      const did = items.filter(({ jobs }) =>
        jobs.some((job) => agents.includes(job.actor) && job.status === 'succeeded'),
      )
      return `Estimate from ${did.length === 1 ? 'one run' : `${did.length} runs`}: `
    }
    const both = runsOf('sql', 'rag')
    expect(runsOf('sql')).not.toBe(both)
    await card.getByRole('note').getByText(both).waitFor()
    await button(page, 'Change the plan').click()
    const note = page.locator('aside').getByRole('note')
    await note.getByText(both).waitFor()
    await expect(note.textContent()).resolves.toMatch(
      /: [\d.,]+ ?\w+, no model calls\. Time waiting for approval is not included\.$/,
    )
    await button(page, 'Remove task: 1').click()
    await note.getByText(runsOf('sql')).waitFor()
    await card.getByRole('note').getByText(runsOf('sql')).waitFor()
    await page.getByLabel('Add a task').selectOption('code')
    await page.getByRole('textbox', { name: 'Text of task 2' }).fill('Draw it.')
    await expect.poll(() => note.textContent()).toContain('Not included, since no recent run used them: Python.')
    await button(page, 'Undo').click()
    await button(page, 'Remove task: 1').waitFor()
    // On the graph, without cycles.
    await page.reload()
    await button(page, 'Change the plan').click()
    const nodes = page.locator('aside .node')
    await nodes.nth(0).click()
    await page.keyboard.press('c')
    await nodes.nth(1).click()
    await page.locator('aside').getByText('task 1').first().waitFor()
    await nodes.nth(1).click()
    await page.keyboard.press('c')
    await nodes.nth(0).click()
    await page.getByText('The task would depend on itself.').waitFor()
    // From port to port: over a task that would wait for itself, its node turns red, with the reason.
    await page.locator('aside .port').nth(1).hover()
    await page.mouse.down()
    await nodes.nth(0).hover()
    await page.locator('aside .node[data-refused=true]').waitFor()
    await page.mouse.up()
    await page.locator('aside .node[data-refused=true]').waitFor({ state: 'detached' })
    // The grip of the second task moves it to the first place, and back.
    const text = page.getByRole('textbox', { name: 'Text of task 1' })
    const first = await text.inputValue()
    const tasks = page.getByRole('list', { name: 'Tasks' }).getByRole('listitem')
    await tasks.nth(1).locator('[draggable=true]').dragTo(tasks.nth(0))
    await expect.poll(() => text.inputValue()).not.toBe(first)
    await button(page, 'Undo').click()
    await expect.poll(() => text.inputValue()).toBe(first)
    await page.locator('aside').getByRole('button', { name: 'Start' }).click()
    await ended(page, 'Partly answered')
    // One after the other: planner, documents, database, writer.
    const heights = await nodes.evaluateAll((all) => all.map((node) => node.getBoundingClientRect().top))
    expect(new Set(heights).size).toBe(4)
    // Pointing at a bar highlights its node, and the other way round.
    const bars = page.locator('aside ul button')
    await bars.nth(1).hover()
    await page.locator('aside .node[data-lit=true]').waitFor()
    await nodes.nth(0).hover()
    await page.locator('aside ul button[data-lit=true]').waitFor()
  })

  it('is started from the conversation as changed next to it', async () => {
    const { page } = await world.open('/')
    await page.getByRole('switch').click()
    await ask(page, MAIL)
    await button(page, 'Change the plan').click()
    const card = page.getByRole('region', { name: 'Here is the plan' })
    const tasks = await card.getByRole('listitem').count()
    await button(page, `Remove task: ${tasks}`).click()
    await expect.poll(() => card.getByRole('listitem').count()).toBe(tasks - 1)
    await card.getByRole('button', { name: 'Start' }).click()
    await ended(page)
    // The mail was the last task.
    await expect(page.getByText('Send this mail?').count()).resolves.toBe(0)
  })

  it('is changed while it runs: removed tasks do not run', async () => {
    const { page } = await world.open('/')
    await ask(page, MAIL)
    await button(page, 'Review').waitFor()
    await button(page, 'Show plan, trace and sources').click()
    await button(page, 'Change the plan').click()
    await button(page, 'Remove task: 2').click()
    await button(page, /^Apply changes/).click()
    await ended(page)
    await expect(page.locator('article').textContent()).resolves.not.toContain('Sent to')
    await expect(answerOf(page)).resolves.toContain('12')
  })
})

describe('a conversation', () => {
  it('branches at a changed question, and keeps both branches', async () => {
    const { page } = await world.open('/')
    await ask(page, 'How many customers are there?')
    await ended(page)
    await button(page, 'Edit and ask again').click()
    await page.getByRole('textbox', { name: 'Edit and ask again' }).fill('How many suppliers are there?')
    await page.keyboard.press('Enter')
    await page.getByText('2 of 2', { exact: true }).waitFor()
    await ended(page)
    await expect(page.locator('article').getAttribute('aria-label')).resolves.toBe('How many suppliers are there?')
    await page.getByRole('link', { name: 'Earlier version' }).click()
    await page.getByText('1 of 2', { exact: true }).waitFor()
    await expect(answerOf(page)).resolves.toContain('92')
    await page.getByRole('button', { name: 'Ask again', exact: true }).click()
    await page.getByRole('menuitem', { name: /pipeline/ }).click()
    await page.getByText('3 of 3', { exact: true }).waitFor()
    await ended(page)
    // The entry in the list leads to the latest version, and is marked in every version.
    const pages = page.getByRole('navigation', { name: 'Pages' })
    const kept = pages.getByRole('link', { name: 'How many customers are there?' }).first()
    await page.getByRole('link', { name: 'Earlier version' }).click()
    await page.getByText('2 of 3', { exact: true }).waitFor()
    await expect(kept.getAttribute('aria-current')).resolves.toBe('page')
    await page.getByRole('link', { name: 'New chat' }).click()
    await kept.click()
    await page.getByText('3 of 3', { exact: true }).waitFor()
  })
})

describe('a decision', () => {
  it('shows what changed since the instructions', async () => {
    const { page } = await world.open('/')
    await ask(page, 'Let the pigeon fly')
    await button(page, 'Review').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('of the spring')
    await dialog.getByRole('button', { name: /with instructions/ }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Waiting for you').first().waitFor()
    await button(page, 'Review').click()
    await dialog.locator('ins').first().waitFor()
    expect((await dialog.locator('ins').allTextContents()).join(' ')).toContain('spring')
    await dialog.getByRole('button', { name: 'Deny' }).click()
    await over(page)
    await page.goto(`${world.url}/approvals`)
    await page.locator('section li').filter({ hasText: 'of the spring' }).first().waitFor()
  })

  it('by another user replaces the buttons', async () => {
    const { page } = await world.open('/')
    await ask(page, MAIL)
    await button(page, 'Review').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Deny' }).waitFor()
    await deny(page)
    await dialog.getByText(/^Denied by you/).waitFor()
    await expect(dialog.getByRole('button', { name: 'Approve as it is' }).count()).resolves.toBe(0)
  })

  it('that comes too late is not offered', async () => {
    const { page } = await world.open()
    await page.clock.install()
    await page.goto(world.url)
    await ask(page, MAIL)
    await button(page, 'Review').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Deny' }).waitFor()
    await page.clock.fastForward('11:00')
    await page.getByRole('dialog').getByText('The approval expired, so the call was not made.').waitFor()
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Approve as it is' }).count()).resolves.toBe(0)
    await deny(page)
  })

  it('is listed as a recent conversation at once, fits windows of every size, and is made in the inbox by keyboard', async () => {
    const { page } = await world.open('/')
    const question = 'Send a mail to support@brindlemoor-coffee.example with the number of customers'
    await ask(page, question)
    await page.getByRole('link', { name: question }).waitFor()
    await page.goto(world.url)
    await page.getByRole('link', { name: question }).click()
    await expect.poll(() => page.locator('article').getAttribute('aria-label')).toBe(question)
    // In every window its buttons are in view, and the exact payload is wrapped.
    const dialog = page.getByRole('dialog')
    const approve = dialog.getByRole('button', { name: 'Approve as it is' })
    for (const [width, height] of [
      [320, 640],
      [390, 700],
      [720, 450],
      [640, 320],
      [1440, 600],
    ] as const) {
      await page.setViewportSize({ width, height })
      await button(page, 'Review').click()
      await dialog.getByText('Subject', { exact: true }).waitFor()
      await expect(approve.isEnabled()).resolves.toBe(true)
      const buttons = (await dialog.locator('footer').boundingBox())!
      expect(buttons.y + buttons.height).toBeLessThanOrEqual(height)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
    await button(page, 'Review').click()
    await dialog.getByRole('button', { name: 'Show exact payload' }).click()
    const exact = dialog.locator('pre')
    await expect(exact.evaluate((one) => one.scrollWidth - one.clientWidth)).resolves.toBe(0)
    await page.keyboard.press('Escape')
    await page.goto(`${world.url}/approvals`)
    await button(page, 'Review').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('d')
    await page.getByText('Press D again to deny').waitFor()
    await page.keyboard.press('d')
    await page.getByText('No pending approvals.').waitFor()
    await expect(page.locator('section li').first().textContent()).resolves.toContain('Denied by you')
  })
})

describe('interactive elements', () => {
  const looks = [
    ['light', 390],
    ['dark', 390],
    ['dark', 1440],
    ['light', 1440],
  ] as const
  it.each(sample(looks, 4))(
    'have no accessibility violations, in the %s theme at %i pixels',
    async (colorScheme, width) => {
      const { page } = await world.open('', { colorScheme, viewport: { width, height: 844 }, bypassCSP: true })
      const found: string[] = []
      const check = async (where: string): Promise<void> => {
        // Wait for animations, because colours change during a fade.
        await page.evaluate('Promise.all(document.getAnimations().map((one) => one.finished.catch(() => 0)))')
        found.push(...(await faultsIn(page, where)))
      }
      await page.goto(world.url)
      await page.getByRole('textbox').fill('@')
      await page.getByRole('listbox').waitFor()
      await check('completion')
      await page.getByRole('switch').click()
      await ask(page, TWO_PARTS)
      await page.getByRole('heading', { name: 'Here is the plan' }).waitFor()
      await check('plan card')
      await button(page, 'Change the plan').click()
      await page.getByRole('textbox', { name: 'Text of task 1' }).waitFor()
      await check('plan editor')
      await page.locator('aside').getByRole('button', { name: 'Start' }).click()
      await ended(page, 'Partly answered')
      await check('answer')
      await page.goto(world.url)
      await page.getByRole('switch').click()
      await ask(page, MAIL)
      await button(page, 'Review').click()
      await page.getByRole('dialog').locator('mark.own').first().waitFor()
      await check('decision')
      await page.getByRole('dialog').getByRole('button', { name: 'Deny' }).click()
      await over(page)
      await page.goto(`${world.url}/approvals`)
      await page
        .getByText(/^Denied by you/)
        .first()
        .waitFor()
      await check('inbox')
      expect(found).toEqual([])
    },
  )
})
