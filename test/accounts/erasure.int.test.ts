import { execFile } from 'node:child_process'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import pg from 'pg'
import { beforeAll, expect, it } from 'vitest'
import { createApp } from '../../src/app/create-app.ts'
import type { App } from '../../src/app/user-app.ts'
import { BY_USER } from '../../src/domain/provenance.ts'
import { parseTeam } from '../../src/domain/team.ts'
import { describeAppStorages } from '../support/app-storage.ts'
import { agent } from '../support/engine-world.ts'
import { letterSender } from '../support/letters.ts'
import { openForAll } from '../support/opened.ts'

/** Words that occur nowhere by chance. The first belongs to the erased user, the second to another user. */
const GONE = 'zanzibarian'
const STAYS = 'narwhalish'
const PASSWORD = 'a long enough sentence'

const keeper = agent(
  'keeper',
  async ({ text }, { artifacts }) => {
    const bytes = new TextEncoder().encode(`<svg>${text}</svg>`)
    const { id } = await artifacts.keep({ name: 'chart.svg', mediaType: 'image/svg+xml', bytes })
    return { answer: `Kept ${id}: ${text}` }
  },
  { keywords: ['chart'] },
)

/** Creates data of a user in every place that can hold some. */
async function live(app: App, username: string, word: string): Promise<string> {
  const { accounts, keys, signIn, groups, quotas } = app.people
  const { userId } = await accounts.add('test', { username, password: PASSWORD, displayName: `Dr ${word}` })
  await signIn.logIn({ username, password: PASSWORD, fromWhere: `a ${word} phone` })
  await keys.create(userId, { name: `${word} key`, scopes: ['read'] })
  await groups.addMember('test', await groups.create('test', `group ${word.length}`), userId)
  await quotas.set('test', { to: `user:${userId}`, measure: 'runs', period: 'day', most: 100 })
  await groups.setGrant('test', 'database:shop', `user:${userId}`, 'reader')
  const mine = app.as(userId)
  const first = await mine.ask({
    question: `Draw a chart of ${word} ${'porcupines '.repeat(2_000)}`,
    interactive: false,
  })
  const { conversationId } = first.metadata
  await mine.ask({ question: `Another chart, ${word}`, interactive: false, ...(conversationId && { conversationId }) })
  await app.profiles.update(userId, {
    values: { companyName: `${word} limited` } as never,
    source: { by: 'user', at: 1 },
    key: 'k',
  })
  const skill = { agent: 'keeper', task: `${word} task`, steps: [], outcome: 'text', provenance: BY_USER }
  const made = [{ ...skill, skillId: `skill of ${username}` }]
  await app.skills.learn(userId, { runId: 'r', at: 1, made, used: [] })
  const team = parseTeam({
    name: 'writers',
    purpose: `Works on ${word}.`,
    agents: [{ name: 'writer', purpose: 'Writes.', task: 'Write.' }],
    checks: [{ question: 'Write.' }],
  })
  await app.teams.save(userId, { team, key: 'k', at: 1 })
  const bytes = Buffer.from(`# ${word}\n\nThe ${word} rules say that it rains on 28 days.\n`.repeat(50))
  await app.knowledge.ingest.add(userId, { name: `${word}.md`, bytes })
  // A run that waits for an approval during the erasure.
  const runId = await mine.start({ question: `A pigeon to ${word}`, strategy: 'pipeline' })
  for await (const item of mine.runs.stream(runId)) if (item.type === 'approval.requested') break
  expect(await mine.runs.approvals({ status: 'pending' })).toHaveLength(1)
  return userId
}

describeAppStorages('a person', (place, kind) => {
  const app = openForAll(() =>
    createApp({ storage: place.storage, agents: [letterSender(), keeper], documents: [], cwd: place.folder }),
  )
  let goneId: string
  let staysId: string
  beforeAll(async () => {
    staysId = await live(app, 'ann', STAYS)
    goneId = await live(app, GONE, GONE)
  })
  /** Names of the places that contain a word: files, including their free pages and logs, and rows of all tables. */
  async function placesOf(word: string): Promise<string[]> {
    const found: string[] = []
    const files = await readdir(place.folder, { recursive: true, withFileTypes: true })
    for (const file of files.filter((entry) => entry.isFile())) {
      const path = join(file.parentPath, file.name)
      if (path.includes(word) || (await readFile(path, 'latin1')).includes(word)) found.push(path)
    }
    if (place.databaseUrl === undefined) return found
    const client = new pg.Client(place.databaseUrl)
    await client.connect()
    const { rows } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    )
    for (const { name } of rows) {
      const like = `SELECT count(*)::int AS n FROM ${name} t WHERE t::text LIKE '%${word}%'`
      const [count] = (await client.query<{ n: number }>(like)).rows
      if (count!.n > 0) found.push(name)
    }
    await client.end()
    return found
  }

  it('is exported with all data, and without credentials', async () => {
    const path = join(place.folder, 'export.tar.gz')
    const timing = { at: Date.now() + 86_400_000 }
    const { schedule, secrets } = await app.schedules.add(goneId, {
      timing,
      request: { question: `What does ${GONE} plan?` },
      webhook: 'https://example.com/x',
    })
    await app.schedules.fire(goneId, schedule.scheduleId, undefined, `${GONE} sent this`)
    await writeFile(path, await buffer(await app.exportPerson(goneId)))
    const { stdout: list } = await promisify(execFile)('tar', ['tzf', path])
    for (const name of [
      'person',
      'tables/messages',
      'tables/user_memory',
      'tables/skills',
      'tables/workflows',
      'documents',
    ])
      expect(list).toContain(`${name}.json\n`)
    const { stdout: all } = await promisify(execFile)('tar', ['xzOf', path], { maxBuffer: 50_000_000 })
    await rm(path)
    for (const part of [
      `Dr ${GONE}`,
      `What does ${GONE} plan?`,
      `${GONE} sent this`,
      `a ${GONE} phone`,
      `${GONE} key`,
      `${GONE} limited`,
      `${GONE} task`,
      `Works on ${GONE}.`,
      `The ${GONE} rules say`,
      `Another chart, ${GONE}`,
      '<svg>',
      'approval.requested',
      'https://example.com/x',
    ])
      expect(all.includes(part), part).toBe(true)
    expect(all).not.toContain(secrets.webhook)
    expect(new RegExp(`${STAYS}|argon2|"hash": "[0-9a-f]{64}"[^}]*"beginsWith"|"password"`).exec(all)?.[0]).toBe(
      undefined,
    )
  })

  it('is erased from every table and file, and no other user', async () => {
    expect((await placesOf(GONE)).length).toBeGreaterThan(kind === 'SQLite' ? 1 : 12)
    const before = await placesOf(STAYS)
    await app.erasePerson(staysId, goneId)
    expect(await placesOf(GONE)).toEqual([])
    expect(await placesOf(goneId), 'nothing but that there was somebody').toEqual(
      kind === 'SQLite' ? [join(place.folder, 'tutti.db')] : ['public.audit', 'public.erased_people'],
    )
    const left = await placesOf(STAYS)
    expect(before.filter((place) => !left.includes(place) && !place.endsWith('-wal'))).toEqual([])
    const [last] = await app.people.audit(1)
    expect(last).toMatchObject({ action: 'erase person', changedBy: staysId, target: goneId })
    expect(await app.runs.runs()).toEqual([])
    expect((await app.as(staysId).runs.runs()).length).toBe(3)
    await expect(app.erasePerson(staysId, goneId)).rejects.toMatchObject({ code: 'NotFound' })
    await expect(app.exportPerson(goneId)).rejects.toMatchObject({ code: 'NotFound' })
  })

  it('is not erased as the last admin', async () => {
    await expect(app.erasePerson('test', staysId)).rejects.toThrow('last admin')
    expect((await app.people.accounts.find(staysId)).isDisabled).toBe(false)
  })
})
