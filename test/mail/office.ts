/** The mail agent in an engine, over a real IMAP and SMTP account. */
import type { ModelPort } from '../../src/domain/model.ts'
import type { RunRequest } from '../../src/domain/request.ts'
import type { RunStore } from '../../src/domain/store.ts'
import { mailAgent } from '../../src/agents/mail/agent.ts'
import { systemClock, type Clock } from '../../src/shared/clock.ts'
import type { Task } from '../../src/domain/plan.ts'
import { Engine } from '../../src/engine/engine.ts'
import { openMailAccount } from '../../src/mail/open.ts'
import type { MailAccount } from '../../src/mail/types.ts'
import { createHttpClient } from '../../src/http/client.ts'
import { pipeline } from '../../src/strategies/pipeline/next.ts'
import { dag } from '../support/dag-strategy.ts'
import { FakeModels, givenPlanner, request, tellingComposer } from '../support/engine-world.ts'

export const OWNER = 'Lars Bellander <lars.bellander@brindlemoor-coffee.example>'
const HOUR = 3_600_000

export function openAccount(imapUrl: string, smtpUrl: string | undefined): MailAccount {
  return openMailAccount(
    { url: imapUrl, from: OWNER, ...(smtpUrl === undefined ? {} : { smtpUrl }) },
    { http: createHttpClient(), cwd: process.cwd(), now: () => Date.now() },
  )
}

export function openOffice(
  store: RunStore,
  account: MailAccount,
  more: { readonly models?: ModelPort; readonly clock?: Clock } = {},
): Engine {
  return new Engine({
    store,
    models: more.models ?? new FakeModels(),
    strategies: [pipeline, dag],
    roles: [givenPlanner, tellingComposer],
    agents: [mailAgent({ account })],
    clock: more.clock ?? systemClock,
    approvals: { timeoutMs: HOUR },
  })
}

/** A minute ahead: every lease on a run has expired. */
export const later: Clock = { ...systemClock, now: () => Date.now() + 60_000 }

export function ask(question: string, tasks: readonly (string | Task)[] = ['mail']): RunRequest {
  return request(tasks, { question, context: { current_date: '2026-10-31' } })
}
