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

interface MailPayload {
  readonly to?: readonly string[]
  readonly cc?: readonly string[]
  readonly subject?: string
  readonly body?: string
}

/** What would leave or change, in the form that a person reads it: a mail as a mail, a program as its lines. */
export function Payload({ tool, payload }: { tool: string; payload: unknown }) {
  const { words } = useWords()
  if (typeof payload !== 'object' || payload === null) return <Exact value={payload} />
  const { code, question } = payload as { code?: unknown; question?: unknown }
  if (typeof code === 'string') return <Exact value={code} />
  if (typeof question === 'string' && isQuestion({ tool }))
    return <p className="text-15 whitespace-pre-wrap">{question}</p>
  const mail = payload as MailPayload
  if (typeof mail.body !== 'string') return <Fields value={payload} />
  const lines = [
    [words.approval.to, mail.to?.join(', ')],
    [words.approval.cc, mail.cc?.join(', ')],
    [words.approval.subject, mail.subject],
  ].filter(([, value]) => value !== undefined && value !== '')
  return (
    <div className="overflow-hidden rounded-xl border border-line">
      {lines.map(([label, value]) => (
        <div key={label} className="flex gap-3 border-b border-line px-4 py-2 text-13">
          <span className="w-16 flex-none text-text-3">{label}</span>
          <span className="min-w-0 wrap-anywhere">{value}</span>
        </div>
      ))}
      <p className="max-h-72 overflow-y-auto px-4 py-3 text-14 whitespace-pre-wrap wrap-anywhere" tabIndex={0}>
        {mail.body}
      </p>
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
            {typeof field === 'string' ? field : JSON.stringify(field, undefined, 2)}
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
      {typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)}
    </pre>
  )
}
