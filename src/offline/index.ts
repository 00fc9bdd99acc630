import { fencedPython } from '../agents/python/fenced-code.ts'
import { inputTables } from '../tool-loop/input-tables.ts'
import { userCodeOutcome } from '../agents/python/outcome.ts'
import { type PythonRunner, executeCode } from '../agents/python/tools.ts'
import type { MailParts } from '../agents/mail/agent.ts'
import type { Corpus } from '../agents/rag/corpora.ts'
import type { StandIn } from '../agents/stand-in.ts'
import type { DatabaseSchema } from '../databases/schema.ts'
import { noModelMessage } from '../domain/model.ts'
import { apiStandIn } from './api/answer.ts'
import { computeOffline } from './calculator/answer.ts'
import { exampleQuestions } from './conversation/example-questions.ts'
import { answerDocuments } from './documents/answer.ts'
import { performMailRequest } from './mail/mail-actions.ts'
import { offlineRoles } from './planner/roles.ts'
import { sqlStandIn, type LinkOptions } from './sql/index.ts'
import { runRule } from './rule-worker/run-rule.ts'
import { toolStandIn } from './tools/answer.ts'

const documents: StandIn<Corpus> = {
  answer: answerDocuments,
  offers: async (_ctx, { store, scope }) => ({ documents: await store.documents(await scope()) }),
}

/** The content of a mail that refers to earlier results, or is empty. */
const REFERS_BACK = /^(?:that|this|it|them|these|those|the (?:results?|answers?|findings))?$/i

const mail: StandIn<MailParts> = {
  answer: performMailRequest,
  async understands(text) {
    const request = await runRule('mail', text)
    if (request === undefined || request.action === 'none') return undefined
    if (request.action === 'search' || request.action === 'read') return {}
    return { acts: true, ...(REFERS_BACK.test(request.content) ? {} : { needs: request.content }) }
  },
  offers: async (_ctx, { account }) => ({ mailboxes: [account.address] }),
}

/** Python in a fence, with no other text than a request to run it. */
const GIVES_CODE =
  /^\W*(?:(?:please )?(?:run|execute)\b[^\n.?!]*)?\r?\n?```(?:python3?|py)\r?\n[^]*?\n```\s*(?:thanks|thank you)?\W*$/i

const computation: StandIn<PythonRunner> = {
  answer: computeOffline,
  understands: async (text) =>
    GIVES_CODE.test(text) || (await runRule('compute', text))?.kind === 'finding' ? {} : undefined,
}

const GIVE_IT = 'Give the Python itself, between a line ```python and a line ```, and it is run after approval.'

/** Runs Python that the task gives. */
const code: StandIn<PythonRunner> = {
  async answer(task, ctx, sandbox) {
    const userCode = fencedPython(task.text)
    if (userCode === undefined) return ctx.decline(`${noModelMessage()} ${GIVE_IT}`)
    const parts = { sandbox, given: inputTables(task), artifacts: ctx.artifacts }
    return userCodeOutcome(userCode, await ctx.call(executeCode(parts), { code: userCode }), ctx.request.locale)
  },
}

/** For an installation without a model: agents, roles, and questions to begin with. */
export const offline = {
  agents: { sql: sqlStandIn, rag: documents, api: apiStandIn, mail, computation, code, tools: toolStandIn },
  roles: offlineRoles,
  suggest: async (schema: DatabaseSchema, options: Pick<LinkOptions, 'today' | 'terms'>) =>
    (await exampleQuestions('', schema, options)).others,
}
