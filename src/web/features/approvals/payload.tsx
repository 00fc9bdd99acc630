import { isQuestion } from '../../../client/run.ts'
import { useWords, type Spoken } from '../../words/words.tsx'

type Words = Spoken['words']

/** What is asked, in a few words. */
export function titleOf(tool: string, words: Words): string {
  if (isQuestion({ tool })) return words.approval.question
  if (tool === 'send_email' || tool === 'reply_to_message') return words.approval.sendMail
  if (tool === 'run_python') return words.approval.runCode
  return words.approval.callTool(tool)
}

/** Tools whose calls are mails; no other call is shown as one, whatever its fields are called. */
const MAILS = new Set(['send_email', 'reply_to_message', 'draft_email'])

interface MailPayload {
  readonly to?: unknown
  readonly cc?: unknown
  readonly subject?: unknown
  readonly body?: unknown
}

function listed(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (Array.isArray(value)) return value.map(String).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What cannot be seen, or turns the order of what can, is shown by its number. */
function visible(text: string): string {
  return text.replaceAll(
    /[\p{Cf}\p{Co}]|(?![\n\t])\p{Cc}/gu,
    (one) => `⟨U+${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`,
  )
}

function Program({ payload }: { payload: object }) {
  const { code, ...rest } = payload as { code?: unknown }
  return (
    <>
      <Exact value={code} />
      <Rest value={rest} />
    </>
  )
}

/** Fields that the form has no place for are shown all the same. */
function Rest({ value }: { value: object }) {
  return Object.keys(value).length === 0 ? null : <Fields value={value} />
}

/** What would leave or change, in the form that a person reads it: a mail as a mail, a program as its lines. */
export function Payload({ tool, payload }: { tool: string; payload: unknown }) {
  const { words } = useWords()
  if (typeof payload !== 'object' || payload === null) return <Exact value={payload} />
  if (isQuestion({ tool })) {
    const { question } = payload as { question?: unknown }
    return <p className="text-15 whitespace-pre-wrap">{visible(String(question))}</p>
  }
  if (tool === 'run_python') return <Program payload={payload} />
  if (!MAILS.has(tool)) return <Fields value={payload} />
  const { to, cc, subject, body, ...rest } = payload as MailPayload
  const lines = [
    [words.approval.to, listed(to)],
    [words.approval.cc, listed(cc)],
    [words.approval.subject, listed(subject)],
  ].filter(([, value]) => value !== undefined && value !== '')
  return (
    <div className="overflow-hidden rounded-xl border border-line">
      {lines.map(([label, value]) => (
        <div key={label} className="flex gap-3 border-b border-line px-4 py-2 text-13">
          <span className="w-16 flex-none text-text-3">{label}</span>
          <span className="min-w-0 wrap-anywhere">{visible(value ?? '')}</span>
        </div>
      ))}
      <p className="max-h-72 overflow-y-auto px-4 py-3 text-14 whitespace-pre-wrap wrap-anywhere" tabIndex={0}>
        {visible(listed(body) ?? '')}
      </p>
      <Rest value={rest} />
    </div>
  )
}

function Fields({ value }: { value: object }) {
  return (
    <dl className="overflow-hidden rounded-xl border border-line">
      {Object.entries(value).map(([name, field]) => (
        <div key={name} className="flex gap-3 border-b border-line px-4 py-2 text-13 last:border-0">
          <dt className="mono w-28 flex-none text-text-3">{name}</dt>
          <dd className="min-w-0 whitespace-pre-wrap wrap-anywhere">
            {visible(typeof field === 'string' ? field : JSON.stringify(field, undefined, 2))}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The payload to the letter. */
export function Exact({ value }: { value: unknown }) {
  return (
    <pre className="code max-h-72 overflow-auto" tabIndex={0}>
      {visible(typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? ''))}
    </pre>
  )
}
