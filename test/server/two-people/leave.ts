import { z } from 'zod'
import { defineAgent } from '../../../src/domain/actor.ts'
import { BY_USER } from '../../../src/domain/provenance.ts'
import { parseTeam } from '../../../src/domain/team.ts'
import { defineTool } from '../../../src/domain/tool.ts'
import type { HttpWorld } from '../../support/http-server.ts'

export const HOLIDAY = 'How many days of holiday do employees get?'
export const PASSWORD = 'a long enough sentence'
/** Both users send the same key and file. Neither learns that the other one did. */
const ALIKE = { 'idempotency-key': 'the very same key' }
const SAME_FILE = '# Parking\n\nThe parking has 12 places.\n'

const letter = defineTool({
  name: 'send_letter',
  description: 'Sends a letter.',
  effect: 'irreversible',
  provenance: BY_USER,
  input: z.object({ to: z.string() }),
  run: async () => undefined,
})
export const sender = defineAgent({
  name: 'sender',
  description: 'Sends letters.',
  keywords: ['pigeon'],
  capabilities: [],
  useCases: [],
  async run({ text }, ctx) {
    await ctx.call(letter, { to: text ?? '' })
    return { answer: 'The letter is on its way.' }
  },
})

/** Ids for the parameters of addresses, by their names. */
export type Ids = Readonly<Record<string, string>>

export interface Leaver {
  readonly world: HttpWorld
  readonly as: string
  readonly userId: string
}

type Send = <T>(path: string, json: unknown, method?: string, headers?: Readonly<Record<string, string>>) => Promise<T>

/**
 * Creates data of a user in every store that Tutti has for users, and returns its ids.
 * @param word is in all of it
 * @param days a number that only their document contains
 */
export async function leave(leaver: Leaver, word: string, days: number): Promise<Ids> {
  const { world, as, userId } = leaver
  const send: Send = async <T>(path: string, json: unknown, method = 'POST', headers = {}) => {
    const response = await world.fetch(path, { as, json, method, headers })
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
    return (await (response.status === 204 ? undefined : response.json())) as T
  }
  const files = await documents(leaver, word, days, send)
  await send('/memory/userName', { value: word }, 'PUT')
  await send('/query', { question: `What is 6 times 7, ${word}?` })
  const talk = await conversation(word, send)
  const { scheduleId } = await schedule(send, { cron: '0 0 1 1 *', request: { question: `What does ${word} do?` } })
  const hook = await schedule(send, { hook: 'bearer', request: { question: `What did ${word} send?` } })
  const { record } = await send<{ record: { keyId: string } }>('/keys', { name: `Key of ${word}`, scopes: ['read'] })
  const { shareId } = await send<{ shareId: string }>(`/conversations/${talk.conversationId}/shares`, {})
  const { sessionId } = await signedIn(leaver, word)
  await send('/evaluations/cases', {
    cases: JSON.stringify({ id: 'c', set: 'holiday', question: HOLIDAY, expect: { contains: word } }),
  })
  const { evaluationId } = await send<{ evaluationId: string }>('/evaluations', {})
  await unrouted(leaver, word)
  await send('/query', { question: 'What is 3 times 3?' }, 'POST', ALIKE)
  const approvalId = await waiting(leaver, word, send)
  return {
    ...files,
    ...talk,
    scheduleId,
    evaluationId,
    approvalId,
    shareId,
    sessionId,
    hookId: hook.scheduleId,
    keyId: record.keyId,
    skillId: `skill of ${word}`,
    team: `writers-${word.toLowerCase()}`,
    model: `team:writers-${word.toLowerCase()}`,
    field: 'userName',
    userId,
  }
}

async function documents({ world, as }: Leaver, word: string, days: number, send: Send): Promise<Ids> {
  const sent = async (path: string, name: string, text: string) => {
    const body = new FormData()
    body.append('file', new Blob([text]), name)
    const response = await world.fetch(path, { method: 'POST', body, as })
    const told = (await response.json()) as {
      documents?: string
      items: { documentId?: string; document?: { documentId: string } }[]
    }
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(told)}`)
    return told
  }
  const holiday = `# Holiday of ${word}\n\nEmployees get ${days} days of holiday, says ${word}.\n`
  const { items } = await sent('/upload', 'holiday.md', holiday)
  await sent('/upload', 'parking.md', SAME_FILE)
  await send('/collections', { name: 'Contracts' })
  const { collectionId } = await send<{ collectionId: string }>('/collections', { name: `Papers of ${word}` })
  await sent(`/collections/${collectionId}/documents`, 'lunch.md', `# Lunch\n\nLunch of ${word} costs ${days} coins.\n`)
  await sent(`/collections/${collectionId}/documents`, 'parking.md', SAME_FILE)
  await send(`/collections/${collectionId}/grants`, { to: `group:circle-${as}`, level: 'editor' }, 'PUT')
  const own = await sent('/attachments', 'note.md', `# Note\n\n${word} likes ${days} kinds of tea.\n`)
  return { documentId: items[0]!.document!.documentId, collectionId, documents: own.documents! }
}

async function conversation(word: string, send: Send): Promise<{ runId: string; conversationId: string }> {
  const { metadata } = await send<{ metadata: { runId: string; conversationId: string } }>('/query', {
    question: HOLIDAY,
  })
  const { runId, conversationId } = metadata
  await send(`/runs/${runId}/feedback`, { thumb: 'down', reason: `Not so, says ${word}.` })
  await send(`/conversations/${conversationId}`, { title: `Holiday of ${word}`, pinned: true }, 'PATCH')
  return { runId, conversationId }
}

async function schedule(send: Send, json: object): Promise<{ scheduleId: string }> {
  return (await send<{ schedule: { scheduleId: string } }>('/schedules', json)).schedule
}

async function signedIn({ world, as, userId }: Leaver, word: string): Promise<{ sessionId: string }> {
  const { signIn } = world.app.people
  await signIn.logIn({ username: as, password: PASSWORD, fromWhere: `phone of ${word}` })
  const [session] = await signIn.sessions.list(userId)
  return { sessionId: session!.sessionId }
}

/** Objects that only runs create. */
async function unrouted({ world: { app }, userId }: Leaver, word: string): Promise<void> {
  const made = [
    {
      agent: 'computation',
      task: `Sums of ${word}`,
      steps: [],
      outcome: 'text',
      provenance: BY_USER,
      skillId: `skill of ${word}`,
    },
  ]
  const servers = { imap: 'imap.example', user: word, password: `key of ${word}` }
  await app.people.mailboxes.set(userId, { address: `${word} <a@b.example>`, ...servers })
  await app.skills.learn(userId, { runId: 'r', at: 1, made, used: [] })
  for (const name of [`writers-${word.toLowerCase()}`, 'writers']) {
    const team = parseTeam({
      name,
      purpose: `Writes for ${word}.`,
      agents: [{ name: 'writer', purpose: `Writes for ${word}.`, task: 'Write.' }],
      checks: [{ question: `Write to ${word}.` }],
    })
    await app.teams.save(userId, { team, key: 'k', at: 1 })
    await app.teams.settle(userId, name, 1, 'ready', `Made for ${word}.`)
  }
}

/** Starts a run that keeps waiting for an approval, and returns its id. */
async function waiting({ world, as }: Leaver, word: string, send: Send): Promise<string> {
  const { runId } = await send<{ runId: string }>('/runs', {
    question: `Send a letter by pigeon to ${word}.`,
    strategy: 'pipeline',
    preferAgents: ['sender'],
  })
  for (let look = 0; look < 1_000; look++) {
    const { items } = await world.json<{ items: { approvalId: string }[] }>('/approvals', { as })
    if (items[0] !== undefined) return items[0].approvalId
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error(`No approval was asked for: ${JSON.stringify(await world.json(`/runs/${runId}`, { as }))}`)
}
