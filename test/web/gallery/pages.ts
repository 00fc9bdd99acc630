import type { Schemas } from '../../../src/client/api-types.ts'
import { NOW } from './log.ts'
import { REPLIES, type Replies } from './replies.ts'

/** Replies about documents, collections, schedules and the server. */

/** @param days from now */
const at = (days: number): string => new Date(NOW + days * 86_400_000).toISOString()

const MORNING: Schemas['Schedule'] = {
  scheduleId: 'morning',
  cron: '0 8 * * MON-FRI',
  zone: 'Europe/Berlin',
  request: { question: 'Which five customers owe us the most on overdue invoices?' },
  isPaused: false,
  nextAt: at(0.7),
  createdAt: at(-60),
}
const SCHEDULES: readonly Schemas['Schedule'][] = [
  MORNING,
  {
    scheduleId: 'desk',
    hook: 'signed',
    request: { question: 'Which order is this complaint about, and what does the returns policy say?' },
    webhook: 'https://desk.brindlemoor-coffee.example/answers',
    isPaused: false,
    createdAt: at(-20),
  },
  {
    scheduleId: 'year',
    at: at(38),
    request: { question: 'Revenue by month of the year that is over, beside the year before' },
    isPaused: true,
    createdAt: at(-2),
  },
]

const { items: documents } = REPLIES['/documents'] as { items: readonly Schemas['Document'][] }
const { items: collections } = REPLIES['/collections'] as { items: readonly Schemas['Collection'][] }

export const PAGE_REPLIES: Replies = {
  '/collections/contracts': collections[0],
  '/collections/contracts/documents': { items: documents.slice(1, 4) },
  '/schedules': { items: SCHEDULES },
  '/schedules/morning': {
    ...MORNING,
    times: [
      { runId: 'answered', dueAt: at(-0.3), status: 'sending' },
      { runId: 'series', dueAt: at(-1.3), status: 'done' },
      { runId: 'failed', dueAt: at(-2.3), status: 'refused', note: 'You have a limit of 200 runs a day.' },
    ],
  },
  '/openapi.json': {
    openapi: '3.1.0',
    info: { title: 'Tutti', version: '0.1.0' },
    paths: {
      '/query': { post: { tags: ['Ask'], summary: 'Ask, and wait for the answer' } },
      '/query/stream': { post: { tags: ['Ask'], summary: 'Ask, and be told how the answer comes about' } },
      '/runs': { get: { tags: ['Runs'], summary: 'Runs, the newest first' } },
      '/runs/{runId}': {
        get: { tags: ['Runs'], summary: 'A run with its answer' },
        delete: { tags: ['Runs'], summary: 'Delete a run that is over, with all that it left' },
      },
      '/approvals/{approvalId}/decide': { post: { tags: ['Approvals'], summary: 'Approve, deny or answer' } },
    },
  },
}
