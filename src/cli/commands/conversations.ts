import type { Conversation } from '../../domain/conversation.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { Cli } from '../cli.ts'
import type { Program } from '../command.ts'
import { askConfirmation } from '../confirm.ts'
import { printJson } from '../failure.ts'
import { findConversation } from '../find-run.ts'
import { withApp } from '../open-app.ts'
import { parseWholeNumber } from '../option-values.ts'
import { printList } from '../render/table.ts'
import { indent, safeLine, safeText } from '../render/text.ts'
import { age, shortId } from '../render/units.ts'
import { jsonOption, yesOption } from '../shared-options.ts'

const CONVERSATION = 'its id, the beginning of it, or "last"'

export function addConversations({ root, cli, run }: Program): void {
  const group = root.command('conversations').description('look at conversations and delete them')
  group
    .command('list')
    .description('list conversations, latest first')
    .option('--limit <n>', 'how many', parseWholeNumber, 20)
    .addOption(jsonOption())
    .action(run((options: ListOptions) => list(cli, options)))
  group
    .command('show')
    .description('print the questions and answers of a conversation')
    .argument('<id>', CONVERSATION)
    .addOption(jsonOption())
    .action(run((id: string, options: { readonly json?: boolean }) => show(cli, id, options)))
  group
    .command('delete')
    .description('delete conversations with their summaries; the runs stay')
    .argument('[id...]', CONVERSATION)
    .option('--all', 'every conversation')
    .addOption(yesOption())
    .addOption(jsonOption())
    .action(run((ids: string[], options: DeleteOptions) => remove(cli, ids, options)))
}

interface ListOptions {
  readonly limit: number
  readonly json?: boolean
}

async function list(cli: Cli, { limit, json }: ListOptions): Promise<void> {
  return withApp(cli, {}, async ({ conversations, runs: { owner } }) => {
    const found = await conversations.list(owner, { limit })
    if (json === true) printJson(cli, { conversations: found.map(withIsoTimes) })
    else if (found.length === 0) cli.err.line(`There are no conversations yet. Start one with: ${cli.self} chat`)
    else {
      const rows = found.map(({ conversationId, turns, updatedAt, title, newAt }) => ({
        id: shortId(conversationId),
        turns,
        latest: age(cli.clock.now() - updatedAt),
        title: newAt === undefined ? title : `new: ${title}`,
      }))
      printList(cli.out, ['id', 'turns', 'latest', 'title'], rows)
    }
  })
}

/** With times as ISO 8601. */
export function withIsoTimes(conversation: Conversation) {
  const { createdAt, updatedAt } = conversation
  return { ...conversation, createdAt: new Date(createdAt).toISOString(), updatedAt: new Date(updatedAt).toISOString() }
}

async function show(cli: Cli, id: string, { json }: { readonly json?: boolean }): Promise<void> {
  return withApp(cli, {}, async (app) => {
    const { conversations, runs } = app
    const conversationId = await findConversation(app, cli, id)
    const messages = await conversations.messages(runs.owner, conversationId)
    await conversations.change(runs.owner, conversationId, { newAt: null })
    if (json === true) printJson(cli, { conversationId, messages })
    else {
      const lines = messages.map(({ role, text }) =>
        role === 'user' ? cli.out.style.bold(`> ${safeLine(text)}`) : `${indent(safeText(text).trimEnd())}\n`,
      )
      cli.out.line(lines.join('\n').trimEnd())
    }
  })
}

interface DeleteOptions {
  readonly all?: boolean
  readonly yes?: boolean
  readonly json?: boolean
}

/** All of those named, or none when one of them is not there. */
async function remove(cli: Cli, ids: readonly string[], { all = false, yes, json }: DeleteOptions): Promise<void> {
  if (all === ids.length > 0) {
    throw new TuttiError('InvalidRequest', 'Name the conversations to delete, or use --all.')
  }
  return withApp(cli, {}, async (app) => {
    const { conversations, runs } = app
    const found = new Set<string>()
    for (const id of ids) found.add(await findConversation(app, cli, id))
    const [only] = found
    const named = found.size === 1 ? `conversation ${shortId(only!)}` : `${found.size} conversations`
    if (!(await askConfirmation(cli, { what: `Delete ${all ? 'all conversations' : named}`, yes }))) return
    let count = all ? await conversations.remove(runs.owner) : 0
    for (const id of found) count += await conversations.remove(runs.owner, id)
    if (json === true) printJson(cli, { deleted: count })
    else cli.err.line(`Deleted ${count} ${count === 1 ? 'conversation' : 'conversations'}. Their runs are still there.`)
  })
}
