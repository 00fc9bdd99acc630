import { z } from 'zod'
import type { ActorContext, AgentTask } from '../../core/actor.ts'
import { BY_USER, outsideData, type Provenance } from '../../core/provenance.ts'
import { defineTool, type EffectCheck, type Tool, type ToolInfo } from '../../core/tool.ts'
import type { MailAccount, MailFolder, MailHeader, MailMessage, MailReceipt } from '../../mail/types.ts'

const searchInput = z.object({
  /** from:, to:, subject:, since:, before:, has:attachment and words. */
  query: z.string(),
  limit: z.number().int().min(1).max(100),
})

const draftInput = z.object({
  to: z.array(z.string()),
  cc: z.array(z.string()),
  subject: z.string(),
  body: z.string(),
  /** Id of the mail that it answers. */
  replyTo: z.string().optional(),
})

const sendInput = z.object({
  to: z.array(z.string()).min(1),
  cc: z.array(z.string()),
  subject: z.string(),
  body: z.string(),
  /** What the person who approves should look at twice, such as where a recipient comes from. */
  warning: z.string().optional(),
})

const replyInput = sendInput.extend({
  /** Id of the mail that is answered. */
  id: z.string(),
  /** Its Message-ID. */
  inReplyTo: z.string(),
})

type SearchInput = z.output<typeof searchInput>
export type DraftInput = z.output<typeof draftInput>
export type SendInput = z.output<typeof sendInput>
export type ReplyInput = z.output<typeof replyInput>

export interface MailTools {
  readonly search: Readonly<Record<MailFolder, Tool<SearchInput, { messages: readonly MailHeader[] }>>>
  readonly read: Tool<{ id: string }, MailMessage>
  readonly draft: Tool<DraftInput, MailReceipt>
  readonly send: Tool<SendInput, MailReceipt>
  readonly reply: Tool<ReplyInput, MailReceipt>
}

/** The tools over one account. What a mail says is nobody's word but its sender's. */
export function createMailTools(account: MailAccount): MailTools {
  const check = async (_input: unknown, key: string): Promise<EffectCheck<MailReceipt>> => {
    const known = await account.check(key)
    return known.state === 'done' ? { state: 'done', output: known.receipt } : known
  }
  const search = (folder: MailFolder, name: string, what: string) =>
    defineTool({
      name,
      description: `Finds ${what} by sender, recipient, subject, words and dates.`,
      effect: 'read',
      reach: 'inside', // the operator's own mail server
      input: searchInput,
      provenance: ({ messages }: { messages: readonly MailHeader[] }) => fromMails(folder, messages),
      run: async ({ query, limit }, { signal }) => ({
        messages: await account.search(folder, query, limit, signal),
      }),
    })
  return {
    search: {
      inbox: search('inbox', 'search_inbox', 'mails in the inbox'),
      sent: search('sent', 'search_sent', 'mails that were sent'),
      drafts: search('drafts', 'search_drafts', 'drafts'),
    },
    read: defineTool({
      name: 'read_message',
      description: 'Reads one mail: its text, and which files are attached.',
      effect: 'read',
      reach: 'inside',
      input: z.object({ id: z.string().min(1) }),
      provenance: (mail: MailMessage) => fromMails(mail.folder, [mail]),
      run: ({ id }, { signal }) => account.read(id, signal),
    }),
    draft: defineTool({
      name: 'draft_email',
      description: 'Saves a mail among the drafts. Nothing is sent.',
      effect: 'write',
      reach: 'inside',
      provenance: BY_USER,
      input: draftInput,
      run: ({ to, cc, subject, body, replyTo }, { idempotencyKey }) =>
        account.draft({ to, cc, subject, text: body }, idempotencyKey, replyTo),
    }),
    send: defineTool({
      name: 'send_email',
      description: 'Sends a mail. Cannot be undone.',
      effect: 'irreversible',
      provenance: BY_USER,
      input: sendInput,
      destination: recipientsOf,
      run: ({ to, cc, subject, body }, { idempotencyKey }) =>
        account.send({ to, cc, subject, text: body }, idempotencyKey),
      check,
    }),
    reply: defineTool({
      name: 'reply_to_message',
      description: 'Sends an answer to a mail, in its thread. Cannot be undone.',
      effect: 'irreversible',
      provenance: BY_USER,
      input: replyInput,
      destination: recipientsOf,
      run: ({ id, to, cc, subject, body }, { idempotencyKey }) =>
        account.reply(id, { to, cc, subject, text: body }, idempotencyKey),
      check,
    }),
  }
}

function recipientsOf({
  to,
  cc = [],
}: {
  readonly to: readonly string[]
  readonly cc?: readonly string[] | undefined
}): string {
  return [...new Set([...to, ...cc].map((address) => address.toLowerCase()))].toSorted().join(', ')
}

/** All of them. */
export function toolsInOrder({ search, read, draft, send, reply }: MailTools): readonly ToolInfo[] {
  return [...Object.values(search), read, draft, send, reply]
}

/** Declines when the plan leaves this tool out. */
export function assertAllowed(tool: { readonly name: string }, { tools }: AgentTask, ctx: ActorContext): void {
  if (tools !== undefined && !tools.includes(tool.name)) {
    ctx.decline(`The plan does not allow "${tool.name}" on the mailbox.`)
  }
}

/** Most mails that are named one by one as where something comes from. */
const NAMED = 5

/** Mails by name, so that whoever approves sees what a call is made from. */
function fromMails(folder: MailFolder, mails: readonly MailHeader[]): Provenance {
  const named = mails.slice(0, NAMED).map(mailInWords)
  const more = mails.length > NAMED ? [`${mails.length - NAMED} more mails in ${folder}`] : []
  return outsideData(...(mails.length === 0 ? [`the mail folder ${folder}`] : [...named, ...more]))
}

/** `mail "Invoice" from Lena <lena@example.com>`, cut to a length that fits a line. */
function mailInWords({ subject, from }: Pick<MailHeader, 'subject' | 'from'>): string {
  return `mail "${cut(subject || '(no subject)', 60)}" from ${cut(from || 'nobody named', 80)}`
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text
}
