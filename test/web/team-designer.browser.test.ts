import { beforeAll, describe, expect, it } from 'vitest'
import { LOCAL_OWNER } from '../../src/domain/events.ts'
import { parseTeam } from '../../src/domain/team.ts'
import { openWebWorld } from './support.ts'

/** A team that a user edits on its diagram and in the form, by mouse and keyboard, until a version is in use. */

const TEAM = parseTeam({
  name: 'counters',
  purpose: 'Counts the customers.',
  agents: [
    { name: 'finder', purpose: 'Computes.', tools: ['run_python'], task: 'What is 2 + 2?' },
    { name: 'writer', purpose: 'Writes it down.', task: 'Write it down.', after: ['finder'] },
  ],
  checks: [{ question: 'What is 2 + 2?' }],
})

const world = openWebWorld()
beforeAll(async () => {
  await world.app.teams.save(LOCAL_OWNER, { team: TEAM, key: 'k', at: 1_000 })
  await world.app.teams.settle(LOCAL_OWNER, 'counters', 1, 'ready', 'All checks passed.')
})

describe('the designer of teams', () => {
  it('a member is added, instructed, connected and removed; faults are shown at their fields; the version is used', async () => {
    const { page } = await world.open('/teams/counters')
    await page.getByRole('button', { name: 'Edit team' }).click()
    const send = page.getByRole('button', { name: 'Test this version' })
    await page.getByRole('checkbox', { name: /run_python/ }).waitFor()
    expect(await send.isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Add member' }).click()
    // Each empty field shows its own message.
    await page.getByText('2 problems').waitFor()
    const name = page.getByLabel('Name', { exact: true })
    // Invalid characters of a name are replaced while typing.
    await name.fill('Ärbiter No. 2')
    await expect(name.inputValue()).resolves.toBe('arbiter_no_2')
    await name.fill('2')
    await page.getByText('3 problems').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('arbiter')
    const member = page.getByRole('region', { name: 'arbiter' })
    await member.getByLabel('Purpose').fill('Judges what was found.')
    await member.getByLabel('Instructions').fill('Judge it.')
    await page.getByText('You approve exactly this').waitFor()
    // By keyboard: the finder, C, then the judge; the other direction would form a cycle.
    const node = (name: string) => page.locator('button.node', { hasText: name })
    const join = async (from: string, to: string): Promise<void> => {
      await node(from).focus()
      await page.keyboard.press('Enter')
      await page.keyboard.press('c')
      await node(to).focus()
      await page.keyboard.press('Enter')
    }
    await join('finder', 'arbiter')
    await member.locator('.chip', { hasText: 'finder' }).waitFor()
    await join('arbiter', 'finder')
    await page.getByText('This would create a cycle').waitFor()
    // A name that a role of Tutti already has.
    await node('arbiter').click()
    await page.getByLabel('Name', { exact: true }).fill('composer')
    await page.getByText('The name "composer" is already in use. Choose another name.').first().waitFor()
    await page.getByText('1 problem').waitFor()
    expect(await send.isDisabled()).toBe(true)
    await page.getByLabel('Name', { exact: true }).fill('arbiter')
    await page.getByText('You approve exactly this').waitFor()
    // Removed and restored.
    await node('writer').focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Delete')
    await node('writer').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+z')
    await node('writer').waitFor()
    await page.keyboard.press('Control+Shift+z')
    await node('writer').waitFor({ state: 'detached' })
    await send.click()
    await page.getByRole('button', { name: 'Review' }).first().click({ timeout: 60_000 })
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Judges what was found.').first().waitFor()
    await dialog.getByRole('button', { name: 'Approve as it is' }).click()
    await expect
      .poll(async () => (await world.app.teams.teams(LOCAL_OWNER))[0], { timeout: 60_000, interval: 200 })
      .toMatchObject({
        version: 2,
        status: 'ready',
        team: { agents: [{ name: 'finder' }, { name: 'arbiter', after: ['finder'] }] },
      })
  }, 180_000)
})
