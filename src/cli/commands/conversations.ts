import type { Conversation } from '../../domain/conversation.ts'
import { TuttiError } from '../../domain/errors.ts'
import { pluralize } from '../../shared/pluralize.ts'
import type { DeleteOptions, JsonOption, Program } from '../command.ts'
import { printJson } from '../failure.ts'
import { findConversation } from '../find-run.ts'
import { parseWholeNumber } from '../option-values.ts'
import { printItems } from '../render/table.ts'
import { indent, safeLine, safeText } from '../render/text.ts'
import { age, shortId } from '../render/units.ts'
import { argument, option, JSON_OPTION, YES_OPTION } from '../shared-options.ts'
import { askConfirmation } from '../prompt.ts'

const CONVERSATION = 'its id, the beginning of it, or "last"'

export function addConversations({ root, cli, command }: Program): void {
  const group = root.command('conversations').description('list, show and delete conversations')
  command(
    group,
    'list',
    'list conversations, newest first',
    option('--limit <n>', 'how many', parseWholeNumber).default(20),
    JSON_OPTION,
  ).withApp(async ({ conversations, runs }, { limit, json }: JsonOption & { readonly limit: number }) => {
    const found = await conversations.list(runs.owner, { limit })
    const rows = found.map(({ conversationId, turns, updatedAt, title, newAt }) => ({
      id: shortId(conversationId),
      turns,
      latest: age(cli.clock.now() - updatedAt),
      title: newAt === undefined ? title : `new: ${title}`,
    }))
    printItems(cli, {
      json,
      object: { conversations: found.map(withIsoTimes) },
      empty: `There are no conversations yet. Start one with: ${cli.self} chat`,
      rows,
    })
  })
  command(
    group,
    'show',
    'print the questions and answers of a conversation',
    argument('<id>', CONVERSATION),
    JSON_OPTION,
  ).withApp(async (app, id: string, { json }: JsonOption) => {
    const { conversations, runs } = app
    const conversationId = await findConversation(app, cli, id)
    const messages = await conversations.messages(runs.owner, conversationId)
    await conversations.change(runs.owner, conversationId, { newAt: null })
    if (json === true) return printJson(cli, { conversationId, messages })
    const lines = messages.map(({ role, text }) =>
      role === 'user' ? cli.out.style.bold(`> ${safeLine(text)}`) : `${indent(safeText(text).trimEnd())}\n`,
    )
    cli.out.line(lines.join('\n').trimEnd())
  })
  command(
    group,
    'delete',
    'delete conversations and their summaries; runs are kept',
    argument('[id...]', CONVERSATION),
    option('--all', 'all conversations'),
    YES_OPTION,
    JSON_OPTION,
  ).withApp(async (app, ids: readonly string[], { all = false, yes, json }: DeleteOptions) => {
    if (all === ids.length > 0)
      throw new TuttiError('InvalidRequest', 'Name the conversations to delete, or use --all.')
    const { conversations, runs } = app
    // All of those named, or none if one of them is not there.
    const found = new Set<string>()
    for (const id of ids) found.add(await findConversation(app, cli, id))
    const [only] = found
    const named = found.size === 1 ? `conversation ${shortId(only!)}` : `${found.size} conversations`
    if (!(await askConfirmation(cli, { what: `Delete ${all ? 'all conversations' : named}`, yes }))) return
    let count = all ? await conversations.remove(runs.owner) : 0
    for (const id of found) count += await conversations.remove(runs.owner, id)
    if (json === true) return printJson(cli, { deleted: count })
    cli.err.line(`Deleted ${pluralize(count, 'conversation')}. Their runs are kept.`)
  })
}

/** With times as ISO 8601. */
export function withIsoTimes(conversation: Conversation) {
  const { createdAt, updatedAt } = conversation
  return { ...conversation, createdAt: new Date(createdAt).toISOString(), updatedAt: new Date(updatedAt).toISOString() }
}
