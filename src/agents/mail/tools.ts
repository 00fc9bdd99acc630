import { z } from 'zod'
import { TuttiError } from '../../domain/errors.ts'
import { omitUndefined, truncate } from '../../shared/json.ts'
import { BY_USER, outsideData, type Provenance } from '../../domain/provenance.ts'
import type { Source } from '../../domain/result.ts'
import {
  defineTool,
  type EffectCheck,
  type Tool,
  type ToolInfo,
  inputSchemaOf,
  loopTool,
  type LoopTool,
} from '../../domain/tool.ts'
import { checkMail, replySubject } from '../../mail/compose.ts'
import type { MailAccount, MailFolder, MailHeader, MailReceipt, OutgoingMail } from '../../mail/types.ts'
import { mailSummary, showFound, showMail, type FoundMails, type ReadMail, type WrittenMail } from './mail-text.ts'
import { answerRecipients } from './recipients.ts'

const searchInput = z.object({
  query: z.string().default(''),
  limit: z.number().int().min(1).max(100).default(10),
})

const addresses = z.array(z.string())
const body = z.string().describe('plain text, signed with the name of the user')
const MAIL_ID = 'its id, such as s1'

const draftInput = z.strictObject({
  to: addresses.default([]),
  cc: addresses.default([]),
  subject: z.string(),
  body,
  replyTo: z.string().optional().describe(`mail that it answers: ${MAIL_ID}`),
})

const sendInput = z.strictObject({
  to: addresses.min(1),
  cc: addresses.default([]),
  subject: z.string(),
  body,
})

const replyInput = z.strictObject({
  id: z.string().describe(`mail that is answered: ${MAIL_ID}`),
  body,
  to: addresses.optional().describe('unless who answers go to'),
  cc: addresses.default([]),
  subject: z.string().optional(),
})

/** Only shown in the approval: a warning, such as about the origin of a recipient. */
const approvalFields = { warning: z.string().optional() }

type SearchInput = z.input<typeof searchInput>
type SearchCall = z.output<typeof searchInput>
type DraftInput = z.input<typeof draftInput>
type DraftCall = Omit<z.output<typeof draftInput>, 'replyTo'> & { readonly replyTo?: string }
type SendInput = z.input<typeof sendInput> & { readonly warning?: string | undefined }
type ReplyInput = z.input<typeof replyInput> & { readonly warning?: string | undefined }

/** A mail to send. */
interface SendCall {
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly subject: string
  readonly body: string
  readonly warning?: string | undefined
}

interface ReplyCall extends SendCall {
  /** Of the mail that is answered. */
  readonly id: string
}

export interface MailTools {
  readonly search: Readonly<Record<MailFolder, Tool<SearchInput, FoundMails, SearchCall>>>
  readonly read: Tool<{ id: string }, ReadMail>
  readonly draft: Tool<DraftInput, WrittenMail, DraftCall>
  readonly send: Tool<SendInput, WrittenMail, SendCall>
  readonly reply: Tool<ReplyInput, WrittenMail, ReplyCall>
}

/** Functions that the tools need in addition to their input. */
export interface MailKnowledge {
  /** The mailbox's own id of a mail that is named by it or by the id of a result. */
  readonly messageId: (id: string) => string
  /** A mail that the job was given, has found or read, by the mailbox's own id. */
  readonly mail: (id: string) => MailHeader | undefined
  /** A warning for the approval. */
  readonly warning: (recipients: readonly string[], original?: MailHeader) => string | undefined
}

/**
 * The tools of one account. The content of a mail is labelled as its sender's words.
 * @param knowledge absent: recipients and warning are those of the input
 */
export function createMailTools(account: MailAccount, knowledge?: MailKnowledge): MailTools {
  const check = async (mail: SendCall, key: string): Promise<EffectCheck<WrittenMail>> => {
    const known = await account.check(key)
    return known.state === 'done' ? { state: 'done', output: written(mail, known.receipt) } : known
  }
  const messageId = knowledge?.messageId ?? ((id: string) => id)
  const search = (folder: MailFolder, name: string, what: string) =>
    defineTool({
      name,
      description: `Finds ${what}, the newest first, with ids and beginnings.`,
      effect: 'read',
      reach: 'inside', // the operator's own mail server
      input: searchInput,
      provenance: ({ messages }: FoundMails) => mailProvenance(folder, messages),
      async run({ query, limit }, { signal }): Promise<FoundMails> {
        const messages = await account.search(folder, query, limit, signal)
        return { messages, sources: messages.map((mail) => sourceOf(mail, mail.snippet)) }
      },
    })
  const exact = ({ warning, ...mail }: SendCall, original?: MailHeader): SendCall => ({
    ...checked(mail, 'send'),
    ...omitUndefined({
      warning: knowledge === undefined ? warning : knowledge.warning([...mail.to, ...mail.cc], original),
    }),
  })
  return {
    search: {
      inbox: search('inbox', 'search_messages', 'mails in the inbox'),
      sent: search('sent', 'search_sent_messages', 'mails that were sent'),
      drafts: search('drafts', 'search_drafts', 'drafts'),
    },
    read: defineTool({
      name: 'get_message_by_id',
      description: 'Reads one mail: its text, and which files are attached.',
      effect: 'read',
      reach: 'inside',
      input: z.object({ id: z.string().min(1).transform(messageId).describe(MAIL_ID) }),
      provenance: (mail: ReadMail) => mailProvenance(mail.folder, [mail]),
      async run({ id }, { signal }): Promise<ReadMail> {
        const mail = await account.read(id, signal)
        return { ...mail, sources: [sourceOf(mail, mail.snippet)] }
      },
    }),
    draft: defineTool({
      name: 'draft_email',
      description: 'Saves a mail among the drafts, for the user to finish. Nothing is sent.',
      effect: 'write',
      reach: 'inside',
      provenance: BY_USER,
      input: draftInput.transform(({ replyTo, ...mail }) => ({
        ...checked(mail, 'draft'),
        ...omitUndefined({ replyTo: replyTo === undefined ? undefined : messageId(replyTo) }),
      })),
      run: async (mail, { idempotencyKey }) =>
        written(mail, await account.draft(outgoing(mail), idempotencyKey, mail.replyTo)),
    }),
    send: defineTool({
      name: 'send_email',
      description: 'Sends a new mail. Call it when the user asks for that: the user approves the mail then.',
      effect: 'irreversible',
      provenance: BY_USER,
      input: sendInput.extend(approvalFields).transform((mail) => exact(mail)) as z.ZodType<SendCall, SendInput>,
      destination: recipientsOf,
      run: async (mail, { idempotencyKey }) => written(mail, await account.send(outgoing(mail), idempotencyKey)),
      check,
    }),
    reply: defineTool({
      name: 'reply_to_message',
      description:
        'Sends an answer to a mail, in its thread. Call it when the user asks for that: the user approves it then.',
      effect: 'irreversible',
      provenance: BY_USER,
      input: replyInput.extend(approvalFields).transform(({ id: written, to, subject, ...mail }): ReplyCall => {
        const id = messageId(written)
        const original = knowledge?.mail(id)
        if (original === undefined && (to === undefined || subject === undefined)) {
          throw new TuttiError(
            'InvalidRequest',
            `There is no mail "${id.slice(0, 60)}" among those that were found; read it first, or search again.`,
          )
        }
        const completed = {
          ...mail,
          to: to ?? answerRecipients(original!),
          subject: subject ?? replySubject(original!.subject),
        }
        return { id, ...exact(completed, original) }
      }) as z.ZodType<ReplyCall, ReplyInput>,
      destination: recipientsOf,
      run: async (mail, { idempotencyKey }) =>
        written(mail, await account.reply(mail.id, outgoing(mail), idempotencyKey)),
      check,
    }),
  }
}

function outgoing({ to, cc, subject, body }: Omit<SendCall, 'warning'>): OutgoingMail {
  return { to, cc, subject, text: body }
}

function written({ to, cc, subject, body }: Omit<SendCall, 'warning'>, receipt: MailReceipt): WrittenMail {
  return { ...receipt, to, cc, subject, body }
}

/** @throws TuttiError `InvalidRequest` for a mail that cannot be saved or sent, before an approval is requested */
function checked(
  { to, cc, subject, body }: Omit<SendCall, 'warning'>,
  purpose: 'draft' | 'send',
): Omit<DraftCall, 'replyTo'> {
  const mail = checkMail(outgoing({ to, cc, subject, body }), purpose)
  return { to: [...mail.to], cc: [...mail.cc], subject: mail.subject, body: mail.text }
}

function recipientsOf({ to, cc }: Pick<SendCall, 'to' | 'cc'>): string {
  return [...new Set([...to, ...cc].map((address) => address.toLowerCase()))].toSorted().join(', ')
}

/** All of them. */
export function toolsInOrder({ search, read, draft, send, reply }: MailTools): readonly ToolInfo[] {
  return [...Object.values(search), read, draft, send, reply]
}

const SOURCE = { kind: 'mail', name: 'mailbox' } as const

/** All of them with their result texts for the model. */
export function mailLoopTools({ search, read, draft, send, reply }: MailTools): readonly LoopTool[] {
  return [
    ...Object.values(search).map((tool) => loopTool(tool, SOURCE, showFound)),
    loopTool(read, SOURCE, showMail),
    withInput(
      loopTool(draft, SOURCE, (mail) => mailSummary('Saved among the drafts, not sent', mail)),
      draftInput,
    ),
    withInput(
      loopTool(send, SOURCE, (mail) => mailSummary('Sent', mail)),
      sendInput,
    ),
    withInput(
      loopTool(reply, SOURCE, (mail) => mailSummary('Sent as an answer', mail)),
      replyInput,
    ),
  ]
}

function withInput(tool: LoopTool, input: z.ZodType): LoopTool {
  return { ...tool, inputSchema: inputSchemaOf(input) }
}

function sourceOf({ subject, from, date, id }: MailHeader, excerpt: string): Source {
  const name = `${subject || '(no subject)'}, from ${from}${date === '' ? '' : `, ${date.slice(0, 10)}`}`
  return { kind: 'mail', name, detail: id, ...(excerpt === '' ? {} : { excerpt }) }
}

/** Maximum number of mails that are listed by name as the origin of data. */
const NAMED = 5

/** Names the mails, so that users who approve a call see what it is made from. */
function mailProvenance(folder: MailFolder, mails: readonly MailHeader[]): Provenance {
  const named = mails.slice(0, NAMED).map(mailInWords)
  const more = mails.length > NAMED ? [`${mails.length - NAMED} more mails in ${folder}`] : []
  return outsideData(...(mails.length === 0 ? [`the mail folder ${folder}`] : [...named, ...more]))
}

/** `mail "Invoice" from Lena <lena@example.com>`, cut to a length that fits a line. */
function mailInWords({ subject, from }: Pick<MailHeader, 'subject' | 'from'>): string {
  return `mail "${truncate(subject || '(no subject)', 60)}" from ${truncate(from || 'nobody named', 80)}`
}
