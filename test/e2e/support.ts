/** The whole product in this process, on the demo business, without mocks of Tutti. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { App } from '../../src/app/user-app.ts'
import type { RunId } from '../../src/domain/events.ts'
import type { ApprovalRecord } from '../../src/domain/store.ts'
import { createDemoDatabase, writeDemoPapers } from '../../src/app/demo-data.ts'
import { openConfiguredApp, type OpenAppOptions } from '../../src/app/setup.ts'
import { simpleParser } from 'mailparser'
import { eventually } from '../support/engine-world.ts'
import { toolCall, type ModelRequest, type Reply, type Rule } from '../support/model-server.ts'

export const OWNER = 'Lars Bellander <lars.bellander@brindlemoor-coffee.example>'
/** Data of the demo end in autumn 2026; questions about "last quarter" are asked on this day. */
export const TODAY = '2026-10-31'

export interface Demo {
  readonly folder: string
  readonly database: string
  readonly documents: string
  readonly mailbox: string
  /** Variables that name the mailbox. */
  readonly mailEnv: Readonly<Record<string, string>>
  /** Replaces the configuration of the next application. */
  configure(config: unknown): Promise<void>
  /** An application. All share one data folder, so that documents are added once. */
  open(options?: Partial<OpenAppOptions>): Promise<App>
  close(): Promise<void>
}

export async function createDemo(): Promise<Demo> {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-e2e-'))
  const database = join(folder, 'brindlemoor.sqlite')
  await createDemoDatabase(database)
  const { documents, mailbox } = await writeDemoPapers(folder)
  const mailEnv = { TUTTI_MAIL_URL: `maildir:${mailbox}`, TUTTI_MAIL_FROM: OWNER }
  return {
    folder,
    database,
    documents,
    mailbox,
    mailEnv,
    configure: (config) => writeFile(join(folder, 'tutti.config.json'), JSON.stringify(config)),
    open: ({ env = {}, ...options } = {}) =>
      openConfiguredApp({
        cwd: folder,
        dataDir: join(folder, 'data'),
        onError: (error) => expect.fail(error.message),
        ...options,
        env: { ...mailEnv, ...env },
      }),
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

type WrittenFolder = '.Drafts' | '.Outbox' | '.Sent'

async function writtenNames(mailbox: string, folder: WrittenFolder): Promise<string[]> {
  const all = await readdir(join(mailbox, folder, 'cur')).catch(() => [])
  return all.filter((name) => name.includes('tutti-'))
}

/** Mails that Tutti wrote into a folder of the mailbox, in no particular order. @param earlier names to leave out */
export async function writtenMails(mailbox: string, folder: WrittenFolder, earlier: ReadonlySet<string> = new Set()) {
  const names = (await writtenNames(mailbox, folder)).filter((name) => !earlier.has(name))
  return Promise.all(
    names.map(async (name) => {
      const { subject = '', text = '', to } = await simpleParser(await readFile(join(mailbox, folder, 'cur', name)))
      const addresses = (Array.isArray(to) ? to : to === undefined ? [] : [to]).map((one) => one.text)
      return { subject, text: text.replaceAll(/\s+/g, ' '), to: addresses.join(', ') }
    }),
  )
}

/** @returns a function that gives the mails written to the folder since this call */
export async function mailsFromNow(mailbox: string, folder: WrittenFolder) {
  const earlier = new Set(await writtenNames(mailbox, folder))
  return () => writtenMails(mailbox, folder, earlier)
}

/** Adds all or the named documents, without a model, for all later applications. */
export async function takeInDocuments(demo: Demo, ...names: string[]): Promise<void> {
  const app = await demo.open()
  const paths = names.length === 0 ? [demo.documents] : names.map((name) => join(demo.documents, name))
  await app.knowledge.ingest.addPaths(app.runs.owner, paths, { cwd: demo.folder })
  await app.close()
}

/** The next pending approval of a run. */
export function pendingApproval(app: App, runId: RunId): Promise<ApprovalRecord> {
  return eventually(async () => (await app.runs.approvals({ runId, status: 'pending' }))[0])
}

/** Decides the next pending approval of a run. @returns it */
export async function decideNext(
  app: App,
  runId: RunId,
  decision: 'approved' | 'denied' = 'approved',
): Promise<ApprovalRecord> {
  const approval = await pendingApproval(app, runId)
  await app.runs.decide(approval.approvalId, decision, 'ann')
  return approval
}

export const task = (id: string, agent: string, text: string, dependsOn: readonly string[] = []) => ({
  id,
  agent,
  text,
  tools: null,
  dependsOn,
})

/** A model that extracts no memory. */
export const NOTHING_TO_REMEMBER: Rule = {
  when: 'note what the user states of themself',
  reply: { json: { ownWords: '', found: false, criticalFacts: {}, preferences: {} } },
}

export const planReply = (tasks: readonly ReturnType<typeof task>[]): Reply => ({
  json: {
    intent: 'find out and tell',
    entities: { date_range: null, doc_type: null, metric: null, names: [], others: [] },
    tasks,
    rationale: 'Each part has its agent.',
    confidence: 0.9,
  },
})

/** The reply of an agent that calls one tool and then answers. */
export function callThen(name: string, input: unknown, text: string): (request: ModelRequest) => Reply {
  return ({ messages }) => (messages.at(-1)!.role === 'tool' ? { text } : toolCall(name, input))
}

/** Patterns that identify the prompt of a request. */
export const ASKED = {
  planner: 'You choose which specialist agents',
  plan: 'You plan how specialist agents',
  rag: 'Write a query in the language of the documents',
  code: 'Write a Python 3 program for the task',
  computation: 'Arithmetic, Python and charts',
  sql: '## Databases',
  compose: 'You write the final answer to a user',
} as const

/** The document agent searches once and then returns this text. Passages are cited by ids such as `[s1]`. */
export function searchThenSay(query: string, text: string): Rule[] {
  const isFirst: Rule['when'] = (asked) => asked.text.includes(ASKED.rag) && asked.messages.at(-1)?.role !== 'tool'
  return [
    { when: isFirst, reply: toolCall('search_documents', { query }) },
    { when: ASKED.rag, reply: { text } },
  ]
}
