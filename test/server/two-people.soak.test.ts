// Soak test: calls every endpoint with the ids of another user.
import { mkdtemp, rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startHttpWorld, type HttpWorld } from '../support/http-server.ts'
import { asksAll, looks, type Answers } from './two-people/ask.ts'
import { HOLIDAY, leave, PASSWORD, sender, type Ids } from './two-people/leave.ts'

/** Is in all data of the other user. */
const WORD = 'Annabel'

/** Data of all users that admins may see, such as names of shared collections. */
const OF_ADMINS = new Set(['GET /audit', 'GET /executions/all', 'GET /people', 'GET /people/:userId/export'])

async function people(): Promise<{ world: HttpWorld; ids: Map<string, string>; close: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-two-'))
  const ids = new Map<string, string>()
  const options = { storage: { folder: join(folder, 'data') }, cwd: folder, documents: [], agents: [sender] }
  const world = await startHttpWorld(options, (all) => async ({ headers }) => {
    const name = headers['x-test-person']
    return name === undefined ? undefined : all.callerOf(ids.get(String(name))!)
  })
  const { accounts, groups } = world.app.people
  for (const username of ['root', 'ada', 'ben']) {
    const role = username === 'root' ? 'admin' : 'member'
    ids.set(username, (await accounts.add('test', { username, password: PASSWORD, role })).userId)
  }
  for (const name of ['ada', 'ben']) {
    await groups.addMember('test', await groups.create('test', `circle-${name}`), ids.get(name)!)
  }
  const close = async (): Promise<void> => {
    await world.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { world, ids, close }
}

/** Ids of the same form that do not exist. */
function idsOfNothing(userId: string): Ids {
  const uuids = ['runId', 'conversationId', 'scheduleId', 'evaluationId', 'collectionId', 'documentId', 'hookId']
  const others = ['shareId', 'sessionId', 'keyId']
  return {
    ...Object.fromEntries([...uuids, ...others].map((name) => [name, randomUUID()])),
    approvalId: `${randomUUID()}.L_Fuf0v0uEiA`,
    documents: `documents-${randomUUID().replaceAll('-', '')}`,
    skillId: `skill of ${WORD}`,
    team: `writers-${WORD.toLowerCase()}`,
    model: `team:writers-${WORD.toLowerCase()}`,
    field: 'userName',
    userId,
  }
}

interface Told {
  readonly ben: Answers
  /** Ada's view of her data before and after Ben's requests. */
  readonly ada: readonly Answers[]
  readonly root: Answers
}

/** Ben's answers from a server that Ada used before, or not. */
async function told(isBusy: boolean): Promise<Told> {
  const { world, ids, close } = await people()
  try {
    const ada = { world, as: 'ada', userId: ids.get('ada')! }
    const foreign = isBusy ? await leave(ada, WORD, 28) : idsOfNothing(ada.userId)
    const own = await leave({ world, as: 'ben', userId: ids.get('ben')! }, 'Paul', 31)
    expect(Object.keys(own).toSorted()).toEqual(Object.keys(foreign).toSorted())
    const before = isBusy ? await looks(world, 'ada', foreign) : {}
    const ben = await asksAll(world, 'ben', own, foreign, WORD)
    const after = isBusy ? await looks(world, 'ada', foreign) : {}
    return { ben, ada: [before, after], root: isBusy ? await looks(world, 'root', foreign) : {} }
  } finally {
    await close()
  }
}

it('no request reveals another user’s activity', { timeout: 900_000 }, async () => {
  const alone = await told(false)
  const beside = await told(true)
  // The same requests find his own data.
  expect(alone.ben['conversations of holiday']).toContain('Holiday of Paul')
  expect(alone.ben[`answer to ${HOLIDAY}`]).toContain('31 days')
  expect(alone.ben['mcp search_documents {"query":"holiday"}']).toContain('31 days')
  expect(alone.ben['answer to What costs lunch?']).toContain('31 coins')
  for (const [asked, answer] of Object.entries(alone.ben)) expect.soft(beside.ben[asked], asked).toBe(answer)
  // An invalid request is refused before its targets are looked up.
  const poor = Object.entries(alone.ben).filter(
    ([asked, answer]) => asked.endsWith('(foreign)') && answer.startsWith('400 '),
  )
  expect(poor).toEqual([])
  const [before, after] = beside.ada
  expect(JSON.stringify(before).split(WORD).length).toBeGreaterThan(30)
  for (const [asked, answer] of Object.entries(before!)) expect.soft(after![asked], asked).toBe(answer)
  const seenByAdmins = Object.entries(beside.root).filter(([, answer]) => answer.includes(WORD))
  expect(seenByAdmins.map(([route]) => route).filter((route) => !OF_ADMINS.has(route))).toEqual([])
})
