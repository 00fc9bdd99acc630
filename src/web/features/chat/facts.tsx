import { BadgeCheck, CircleAlert, Info } from 'lucide-react'
import { useMemo } from 'react'
import { stepsWithoutModel, verdictOf, waitedMs } from '../../../client/run.ts'
import type { RunView } from '../../run/run-log.ts'
import { useAgentName } from '../../ui/agent-mark.tsx'
import { Said } from '../../ui/states.tsx'
import { useHasModel } from './use-about.ts'
import { useWords } from '../../words/words.tsx'

/** Whether what a model wrote was held against what was found, and what the answer took. */
export function Facts({ view }: { view: RunView }) {
  const { words, formats } = useWords()
  const nameOf = useAgentName()
  const hasModel = useHasModel() === true
  const { usage, startedAt, endedAt, jobs, answer } = view.state
  const agents = [...jobs.values()].filter(
    ({ task, supersededBy, isOutdated }) => task !== undefined && supersededBy === undefined && isOutdated !== true,
  )
  const names = [...new Set(agents.map(({ actor }) => nameOf(actor)))]
  const took = endedAt === undefined ? undefined : Date.parse(endedAt) - Date.parse(startedAt)
  const timesOf = (all: number, waited: number): string =>
    waited === 0 ? formats.duration(all) : words.facts.waited(formats.duration(all - waited), formats.duration(waited))
  const tokens = usage.inputTokens + usage.outputTokens
  const facts = [
    ...(took === undefined ? [] : [timesOf(took, waitedMs(view.events))]),
    ...(names.length === 0 ? [] : [formats.list(names)]),
    ...(usage.calls === 0 ? [] : [words.facts.calls(usage.calls), words.facts.tokens(formats.number(tokens))]),
    // Where a model is set up, it may seem to have answered; one that was asked in vain is told of above.
    ...(hasModel && usage.calls === 0 && answer !== undefined && stepsWithoutModel(view.events).why.size === 0
      ? [words.facts.byRules]
      : []),
    ...(usage.costUsd > 0 ? [formats.money(usage.costUsd)] : []),
  ]
  return (
    <div className="flex flex-col gap-2">
      {answer?.by === 'model' && answer.isAnswered !== false ? <Check view={view} /> : null}
      {answer?.by === 'model' ? <Notices view={view} /> : null}
      <p className="text-12 text-text-2" aria-label={words.facts.label}>
        {facts.join(' · ')}
      </p>
    </div>
  )
}

/** That each figure of the answer stands in what was found or follows from it. */
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

/** What a reader should know besides a model's answer; that a limit was reached is shown above. */
function Notices({ view: { state, events } }: { view: RunView }) {
  const { words } = useWords()
  const notices = useMemo(() => verdictOf(state, events).notices, [state, events])
  const shown = notices.filter(({ code }) => code !== 'limit_reached' || state.exhausted === undefined)
  if (shown.length === 0) return null
  return (
    <ul className="flex flex-col gap-1 text-13 text-text-2" aria-label={words.facts.notices}>
      {shown.map(({ severity, text }) => (
        <li key={text} className="flex items-start gap-2">
          {severity === 'warning' ? (
            <CircleAlert size={16} aria-hidden className="mt-0.5 flex-none text-warn" />
          ) : (
            <Info size={16} aria-hidden className="mt-0.5 flex-none" />
          )}
          <span>
            <Told sentence={text} />
          </span>
        </li>
      ))}
    </ul>
  )
}

/** A clause of the server as a sentence of its own. */
export function Told({ sentence }: { sentence: string }) {
  const { say } = useWords()
  const whole = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`
  const known = say(sentence)
  return known === undefined ? <Said text={whole(sentence)} /> : <>{whole(known)}</>
}
