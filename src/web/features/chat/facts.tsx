import { BadgeCheck, CircleAlert, Info } from 'lucide-react'
import { useMemo } from 'react'
import { api } from '../../../client/api.ts'
import { actionsIn, answerVerdict, workMs } from '../../../client/run.ts'
import { useChange, useGet } from '../../app/data.ts'
import { useMayChange } from '../../app/session.ts'
import type { RunView } from '../../run/run-log.ts'
import { useAgentName } from '../../ui/agent-mark.tsx'
import { ServerText } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'

/** Whether a model's text was checked against the results, and what the answer cost. */
export function Facts({ view }: { view: RunView }) {
  const { words, formats } = useWords()
  const nameOf = useAgentName()
  const { usage, endedAt, jobs, answer } = view.state
  const agents = [...jobs.values()].filter(
    ({ task, supersededBy, isOutdated }) => task !== undefined && supersededBy === undefined && isOutdated !== true,
  )
  const names = [...new Set(agents.map(({ actor }) => nameOf(actor)))]
  const tokens = usage.inputTokens + usage.outputTokens
  const changes = useMemo(() => actionsIn(view.state).map(({ tool }) => tool), [view])
  const { basis, notices } = useMemo(() => answerVerdict(view.state, view.events), [view])
  const isUnsourced = basis !== 'sources' && notices.every(({ code }) => code !== 'no_source')
  const facts = [
    ...(endedAt === undefined ? [] : [formats.duration(workMs(view.state))]),
    ...(names.length === 0 ? [] : [formats.list(names)]),
    ...(answer?.by === 'model' && isUnsourced ? [words.facts.noSource] : []),
    changes.length === 0 ? words.facts.noChanges : words.facts.changes({ tools: formats.list(changes) }),
    ...(usage.calls === 0
      ? []
      : [words.facts.calls({ n: usage.calls }), words.facts.tokens({ n: formats.number(tokens) })]),
    ...(usage.costUsd > 0 ? [formats.money(usage.costUsd)] : []),
  ]
  return (
    <div className="flex flex-col gap-2">
      {answer?.by === 'model' && answer.isAnswered !== false && basis === 'sources' ? <Check view={view} /> : null}
      {answer === undefined ? null : <Notices view={view} notices={notices} />}
      <p className="text-12 text-text-2" aria-label={words.facts.label}>
        {facts.join(' · ')}
      </p>
    </div>
  )
}

/** States that each figure of the answer is in the results or follows from them. */
function Check({ view }: { view: RunView }) {
  const { words } = useWords()
  const figures = view.state.answer?.checks?.figures ?? []
  if (figures.length === 0 || figures.some(({ status }) => status === 'not_found')) return null
  return (
    <p className="flex items-start gap-2 text-13">
      <BadgeCheck size={16} aria-hidden className="mt-0.5 flex-none text-ok" />
      <span className="text-text-2">
        <b className="text-ok">{words.facts.checked}</b> {words.facts.against}
      </span>
    </p>
  )
}

/** Notices about a model's answer. A reached limit is shown above. */
function Notices({ view: { state }, notices }: { view: RunView } & Pick<ReturnType<typeof answerVerdict>, 'notices'>) {
  const { words, language } = useWords()
  const visible = notices.filter(({ code }) => code !== 'limit_reached' || state.exhausted === undefined)
  if (visible.length === 0) return null
  return (
    <ul className="flex flex-col gap-1 text-13 text-text-2" aria-label={words.facts.notices}>
      {visible.map(({ code, params, severity, text }) => (
        <li key={text} className="flex items-start gap-2">
          {severity === 'warning' ? (
            <CircleAlert size={16} aria-hidden className="mt-0.5 flex-none text-warn" />
          ) : (
            <Info size={16} aria-hidden className="mt-0.5 flex-none" />
          )}
          <span>
            {language === 'en' ? null : <b className="font-medium">{words.notices[code]}: </b>}
            {code === 'remembered' ? <Remembered runId={state.runId} values={params} /> : <Clause sentence={text} />}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** What the run stored in the user's memory. It can be deleted while any of it is stored. */
function Remembered({ runId, values }: { runId: string; values: Readonly<Record<string, string>> }) {
  const { words, formats } = useWords()
  const mayChange = useMayChange()
  const memory = useGet<{ readonly entries: readonly { readonly source: { readonly runId?: string } }[] }>('/memory')
  const undo = useChange(() => api.delete(`/memory/runs/${encodeURIComponent(runId)}`), '/memory')
  const isKept = memory.data?.entries.some(({ source }) => source.runId === runId) === true
  const names: Readonly<Record<string, string>> = words.memory.field
  const remembered = formats.list(
    Object.entries(values).map(([field, value]) => `${names[field]} ${words.quoted({ text: value })}`),
  )
  return (
    <>
      {words.memory.remembered({ what: remembered })}
      {isKept && mayChange ? (
        <button type="button" className="ml-2 text-accent-text underline" onClick={() => undo.mutate()}>
          {words.app.undo}
        </button>
      ) : null}
    </>
  )
}

/** A clause from the server as a full sentence. */
export function Clause({ sentence }: { sentence: string }) {
  return <ServerText text={`${sentence.charAt(0).toUpperCase()}${sentence.slice(1).replace(/\.$/, '')}.`} />
}
