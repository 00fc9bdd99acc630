import { isObject, isQuestion, type UserQuestion } from '../../../client/run.ts'
import { createContext, useContext, useMemo, type ReactNode } from 'react'
import { textSources, splitByOrigin, type Origin } from '../../run/origins.ts'
import type { RunView } from '../../run/run-log.ts'
import { Difference } from '../../ui/difference.tsx'
import { showInvisible } from '../../ui/show-invisible.ts'
import { fieldLabel, requestIn, plainValue, type ShownRequest } from './http-request.ts'
import { isMail } from './approval-title.ts'
import { TeamDetails, teamOfCall } from '../teams/team-details.tsx'
import { useWords } from '../../locales/words.tsx'

interface MailPayload {
  readonly to?: unknown
  readonly cc?: unknown
  readonly bcc?: unknown
  readonly subject?: unknown
  readonly body?: unknown
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (Array.isArray(value)) return value.map(String).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

interface Background {
  /** The run, which tells the origin of texts; absent while it loads. */
  readonly view: RunView | undefined
  /** The payload before the user gave instructions. */
  readonly before?: unknown
}

const BackgroundContext = createContext<Background>({ view: undefined })

/** Recipients of a mail. */
function recipientsOf(tool: string, payload: unknown): string[] {
  if (!isMail(tool) || typeof payload !== 'object' || payload === null) return []
  const { to, cc, bcc } = payload as MailPayload
  return [to, cc, bcc].flatMap((field) => (textOf(field) ?? '').split(/[,;\s]+/)).filter((address) => address !== '')
}

/**
 * Recipients whose addresses appear in external content and not in the user's own text. Returns all recipients until
 * the run is loaded.
 */
export function unknownRecipients(tool: string, payload: unknown, view: RunView | undefined): string[] {
  const all = recipientsOf(tool, payload)
  if (view === undefined || all.length === 0) return all
  const places = textSources(view)
  return all.filter((address) => splitByOrigin(address, places).some(({ origin }) => origin?.author === 'outside'))
}

interface PayloadProps extends Background {
  readonly tool: string
  readonly payload: unknown
}

/** The payload in readable form, with its changes and the origin of its texts. */
export function Payload({ tool, payload, ...background }: PayloadProps) {
  return (
    <BackgroundContext value={background}>
      <Content tool={tool} payload={payload} />
      <Legend payload={payload} />
    </BackgroundContext>
  )
}

function Content({ tool, payload }: Pick<PayloadProps, 'tool' | 'payload'>) {
  if (typeof payload !== 'object' || payload === null) return <Exact value={payload} />
  if (isQuestion({ tool })) {
    return <p className="text-15 whitespace-pre-wrap">{showInvisible((payload as UserQuestion).question)}</p>
  }
  const team = teamOfCall(tool, payload)
  if (team !== undefined) return <TeamDetails team={team} />
  if (tool === 'run_python') return <Program payload={payload} />
  const request = requestIn(tool, payload)
  if (request !== undefined) return <Request request={request} tool={tool} />
  return isMail(tool) ? <Mail payload={payload} /> : <Fields value={payload} />
}

/** An HTTP request, in the order that matters to the user: action, target, account, content. */
function Request({ request, tool }: { request: ShownRequest; tool: string }) {
  const { words } = useWords()
  const { before } = useContext(BackgroundContext)
  const earlier = requestIn(tool, before ?? {})
  const rowsOf = ({ api, method, host, path, signIn }: ShownRequest) =>
    [
      [words.decided.does, `${method} ${path}`],
      [words.decided.at, api === host ? host : `${api} (${host})`],
      [words.decided.signedIn, signIn],
    ] as const
  const earlierRows = earlier && rowsOf(earlier)
  const { query, headers, body } = request
  const parts = [
    [words.decided.query, query, earlier?.query, fieldLabel],
    [words.decided.headers, headers, earlier?.headers, String],
    [words.decided.body, body, earlier?.body, fieldLabel],
  ] as const
  return (
    <div className="overflow-hidden rounded-xl border border-line">
      <dl>
        {rowsOf(request).map(([label, value], at) =>
          value === undefined ? null : (
            <Row key={label} label={label}>
              <Text value={value} before={earlierRows?.[at]?.[1]} />
            </Row>
          ),
        )}
      </dl>
      {parts.map(([label, value, before, labelOf]) =>
        value === undefined || (isObject(value) && Object.keys(value).length === 0) ? null : (
          <section key={label}>
            <h3 className="border-b border-line bg-surface-2 px-4 py-1.5 text-12 text-text-2">{label}</h3>
            {isObject(value) ? (
              <Rows value={value} before={before} labelOf={labelOf} />
            ) : (
              <p className="px-4 py-2 text-13 whitespace-pre-wrap wrap-anywhere">
                {showInvisible(plainValue(value, words))}
              </p>
            )}
          </section>
        ),
      )}
    </div>
  )
}

interface RowsProps {
  readonly value: object
  readonly before: unknown
  readonly labelOf?: (name: string) => string
}

/** Fields with their values, one per row. */
function Rows({ value, before, labelOf = fieldLabel }: RowsProps) {
  const { words } = useWords()
  return (
    <dl>
      {Object.entries(value).map(([name, field]) => (
        <Row key={name} label={labelOf(name)} title={name}>
          <Text
            value={plainValue(field, words)}
            before={isObject(before) && name in before ? plainValue(before[name], words) : undefined}
          />
        </Row>
      ))}
    </dl>
  )
}

function Row({ label, title, children }: { label: string; title?: string; children: ReactNode }) {
  return (
    <div className="flex gap-3 border-b border-line px-4 py-2 text-13 last:border-0">
      <dt className="w-24 flex-none wrap-anywhere text-text-3" title={title}>
        {showInvisible(label)}
      </dt>
      <dd className="min-w-0 whitespace-pre-wrap wrap-anywhere">{children}</dd>
    </div>
  )
}

function Mail({ payload }: { payload: object }) {
  const { words } = useWords()
  const { before } = useContext(BackgroundContext)
  const { to, cc, bcc, subject, body, ...rest } = payload as MailPayload
  const earlierText = (name: string): string | undefined => (isObject(before) ? textOf(before[name]) : undefined)
  const lines = [
    ['to', words.approval.to, textOf(to)],
    ['cc', words.approval.cc, textOf(cc)],
    ['bcc', words.approval.bcc, textOf(bcc)],
    ['subject', words.approval.subject, textOf(subject)],
  ] as const
  return (
    <div className="overflow-hidden rounded-xl border border-line">
      <dl>
        {lines.map(([name, label, value]) =>
          value === undefined || value === '' ? null : (
            <Row key={name} label={label}>
              <Text value={value} before={earlierText(name)} />
            </Row>
          ),
        )}
      </dl>
      <p className="border-t border-line px-4 py-3 text-14 whitespace-pre-wrap wrap-anywhere">
        <Text value={textOf(body) ?? ''} before={earlierText('body')} />
      </p>
      {Object.keys(rest).length === 0 ? null : <Fields value={rest} />}
    </div>
  )
}

function Program({ payload }: { payload: object }) {
  const { code, ...rest } = payload as { code?: unknown }
  return (
    <>
      <Exact value={code} />
      {Object.keys(rest).length === 0 ? null : <Fields value={rest} />}
    </>
  )
}

function Fields({ value }: { value: object }) {
  const { before } = useContext(BackgroundContext)
  return (
    <div className="overflow-hidden rounded-xl border border-line">
      <Rows value={value} before={before} />
    </div>
  )
}

/** One field: what changed in it since the last version, or else where its words come from. */
function Text({ value, before }: { value: string; before: string | undefined }) {
  const { view } = useContext(BackgroundContext)
  const stretches = useMemo(
    () => (view === undefined ? [{ text: value }] : splitByOrigin(value, textSources(view))),
    [view, value],
  )
  if (before !== undefined && before !== value) return <Difference before={before} now={value} />
  return stretches.map(({ text, origin }, at) => (
    <Marked key={at} text={text} {...(origin === undefined ? {} : { origin })} />
  ))
}

function Marked({ text, origin }: { text: string; origin?: Origin }) {
  const { words, formats } = useWords()
  if (origin?.names === undefined) return <span>{showInvisible(text)}</span>
  const isOutside = origin.author === 'outside'
  const label = `${isOutside ? words.answer.untrusted : words.answer.yourData}: ${formats.list(origin.names)}`
  return (
    <mark className={isOutside ? 'taint' : 'own'} title={label}>
      {showInvisible(text)}
    </mark>
  )
}

/** What the marks mean. */
function Legend({ payload }: { payload: unknown }) {
  const { words, formats } = useWords()
  const { view } = useContext(BackgroundContext)
  const origins = useMemo(() => {
    if (view === undefined || typeof payload !== 'object' || payload === null) return []
    const places = textSources(view)
    const pieces = Object.values(payload).flatMap((field) => splitByOrigin(textOf(field) ?? '', places))
    return [
      ...new Map(
        pieces.flatMap(({ origin }) => (origin?.names === undefined ? [] : [[origin.names.join(), origin]])),
      ).values(),
    ]
  }, [view, payload])
  if (origins.length === 0) return null
  return (
    <ul className="flex flex-col gap-1 text-12 text-text-2" aria-label={words.approval.origins}>
      {origins.map(({ author, names = [] }) => (
        <li key={names.join()} className="flex items-center gap-2">
          <mark className={author === 'outside' ? 'taint' : 'own'}>{words.approval.marked}</mark>
          <span className="min-w-0 wrap-anywhere">{formats.list(names)}</span>
          <span className={`badge ${author === 'outside' ? 'tone-taint' : 'tone-ok'}`}>
            {author === 'outside' ? words.answer.untrusted : words.answer.yourData}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** The payload as raw JSON. */
export function Exact({ value }: { value: unknown }) {
  return (
    // Wrap long lines: the user must see everything that they approve without scrolling sideways.
    <pre className="code whitespace-pre-wrap! wrap-anywhere" tabIndex={0}>
      {showInvisible(typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? ''))}
    </pre>
  )
}
