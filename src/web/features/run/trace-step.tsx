import { ChevronRight, Sparkles, Wrench } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useMayChange } from '../../app/session.ts'
import { hueOf } from '../../run/agents.ts'
import type { Call, RunView } from '../../run/run-log.ts'
import type { Step } from '../../run/steps.ts'
import type { Span } from '../../run/trace.ts'
import { AgentMark, useAgentName } from '../../ui/agent-mark.tsx'
import { RunError } from '../../ui/states.tsx'
import { StateIcon } from '../../ui/state-icon.tsx'
import { useWords } from '../../locales/words.tsx'
import { Clause } from '../chat/facts.tsx'
import { Fork } from './fork.tsx'
import { SpanBar } from './span-bar.tsx'

interface TraceStepProps {
  readonly step: Step
  readonly view: RunView
  /** The span for its bar and those of its calls, if there is room for them. */
  readonly span?: Span | undefined
}

/** One step of a list, with its calls when it is opened. */
export function TraceStep(shown: TraceStepProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li className="border-b border-line last:border-0">
      <OpenStep {...shown} isOpen={isOpen} toggle={() => setOpen(!isOpen)} />
    </li>
  )
}

interface OpenStepProps extends TraceStepProps {
  readonly isOpen: boolean
  readonly toggle: () => void
}

/** A step, and its calls below it while it is open. */
export function OpenStep({ step, view, span, isOpen, toggle }: OpenStepProps) {
  const { words, formats } = useWords()
  const nameOf = useAgentName()
  const mayFork = useMayChange() && view.isOver && step.job !== undefined
  const calls = view.calls.get(step.id) ?? []
  const failed = calls.filter(({ error }) => error !== undefined).length
  const took = step.startedAt === undefined || step.endedAt === undefined ? undefined : step.endedAt - step.startedAt
  const rows = step.job?.result?.tabular?.rowCount
  return (
    <>
      <button
        type="button"
        className="on-paper flex min-h-9 w-full flex-wrap items-center gap-x-2 gap-y-1 px-2 py-1.5 text-left text-13 hover:bg-surface-2 @2xl:flex-nowrap"
        aria-expanded={isOpen}
        data-row={step.id}
        onClick={toggle}
      >
        <ChevronRight
          size={14}
          aria-hidden
          className={`flex-none text-text-3 transition-transform ${isOpen ? 'rotate-90' : ''}`}
        />
        <StateIcon state={step.state} />
        <AgentMark actor={step.actor} />
        <span className="cut min-w-0 flex-1">
          <b className="font-medium">{nameOf(step.actor)}</b>
          {step.text === undefined ? null : <span className="text-text-2"> · {step.text}</span>}
        </span>
        {step.attempt > 1 ? <span className="badge tone-warn">{words.step.attempt({ n: step.attempt })}</span> : null}
        {failed === 0 || step.state === 'failed' ? null : (
          <span className="badge tone-bad">{words.trace.errors({ n: failed })}</span>
        )}
        {span === undefined || step.startedAt === undefined ? null : (
          <SpanBar
            span={span}
            from={step.startedAt}
            until={step.endedAt ?? Infinity}
            colour={step.state === 'failed' ? 'var(--bad)' : `var(--ag-${hueOf(step.actor)})`}
          />
        )}
        <span className={`mono flex-none text-right text-text-3 ${span === undefined ? '' : '@2xl:min-w-40'}`}>
          {rows === undefined ? '' : `${words.step.rows({ n: formats.number(rows), isOne: rows === 1 })} · `}
          {took === undefined ? '' : formats.duration(took)}
        </span>
      </button>
      {step.error === undefined ? null : (
        <p className={`px-9 pb-2 text-12 ${step.state === 'stopped' ? 'text-text-2' : 'text-bad'}`}>
          <RunError error={step.error} />
        </p>
      )}
      {step.rejection === undefined ? null : <p className="px-9 pb-2 text-12 text-bad">{step.rejection}</p>}
      {isOpen ? (
        <div className="flex flex-col gap-2 bg-surface-2 px-3 py-3">
          {calls.length === 0 ? <p className="text-12 text-text-2">{words.step.noCalls}</p> : null}
          {calls.map((call) => (
            <CallView key={call.path} call={call} span={span}>
              {call.turn === undefined || !mayFork ? null : <Fork view={view} from={step.id} turn={call.turn.number} />}
            </CallView>
          ))}
          {mayFork ? <Fork view={view} from={step.id} /> : null}
        </div>
      ) : null}
    </>
  )
}

function CallView({ call, span, children }: { call: Call; span: Span | undefined; children: ReactNode }) {
  const { words, formats } = useWords()
  const { usage } = call
  const Icon = call.kind === 'model' ? Sparkles : Wrench
  const tokens = usage === undefined ? undefined : usage.inputTokens + usage.outputTokens
  return (
    <details className="rounded-lg border border-line bg-surface">
      <summary
        className="flex cursor-pointer flex-wrap items-center gap-x-2 gap-y-1 px-3 py-1.5 text-12 @2xl:flex-nowrap"
        data-row={call.path}
      >
        <Icon size={14} aria-hidden className="flex-none text-text-3" />
        <span className={`mono cut flex-1 ${call.error === undefined ? '' : 'text-bad'}`}>
          {call.turn === undefined ? call.name : words.reading.turn({ n: call.turn.number })}
        </span>
        {call.by === 'fallback' ? <span className="badge">{words.step.modelFailed}</span> : null}
        {call.provenance?.author === 'outside' ? (
          <span className="badge tone-taint">{words.answer.untrusted}</span>
        ) : null}
        {span === undefined ? null : (
          <SpanBar
            span={span}
            from={Date.parse(call.at) - call.latencyMs}
            until={Date.parse(call.at)}
            colour={call.error === undefined ? 'var(--text-3)' : 'var(--bad)'}
          />
        )}
        <span className={`mono flex-none text-right text-text-3 ${span === undefined ? '' : '@2xl:min-w-[143px]'}`}>
          {tokens === undefined ? '' : `${formats.number(tokens)} tok · `}
          {formats.duration(call.latencyMs)}
        </span>
      </summary>
      <div className="flex flex-col gap-2 border-t border-line p-3">
        {call.error === undefined ? null : (
          <p className="text-12 text-bad">
            <RunError error={call.error} />
          </p>
        )}
        {call.reason === undefined ? null : (
          <p className="text-12 text-text-2">
            <Clause sentence={call.reason} />
          </p>
        )}
        <CallFacts call={call} />
        {call.turn === undefined ? null : <TurnText turn={call.turn} />}
        <Value label={words.step.input} value={call.input} />
        <Value label={words.step.output} value={call.output} />
        {children}
      </div>
    </details>
  )
}

/** What the model wrote in a turn, and its calls with the results that it was given. */
function TurnText({ turn: { text, calls } }: { turn: NonNullable<Call['turn']> }) {
  const { words } = useWords()
  return (
    <>
      <Value label={words.reading.text} value={text === '' ? undefined : text} />
      {calls.map(({ name, input, result, isError }, index) => (
        <div key={index} className="flex flex-col gap-2">
          <span className={`mono text-12 ${isError === true ? 'text-bad' : ''}`}>{name}</span>
          <Value label={words.step.input} value={input} />
          <Value label={words.step.output} value={result} />
        </div>
      ))}
    </>
  )
}

/** Model, cost, cached share, and origin of the result. */
function CallFacts({ call: { model, usage, provenance } }: { call: Call }) {
  const { words, formats } = useWords()
  const facts = [
    [words.reading.model, model],
    [words.reading.tokensIn, usage && formats.number(usage.inputTokens)],
    [words.reading.cached, usage?.cachedInputTokens && formats.number(usage.cachedInputTokens)],
    [words.reading.tokensOut, usage && formats.number(usage.outputTokens)],
    [words.panel.cost, usage?.costUsd && formats.money(usage.costUsd)],
    [words.reading.from, provenance && formats.list(provenance.sources)],
  ].filter(([, value]) => Boolean(value))
  if (facts.length === 0) return null
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-1 text-12">
      {facts.map(([name, value]) => (
        <div key={name} className="flex gap-1.5">
          <dt className="text-text-2">{name}</dt>
          <dd className="mono wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Values are truncated; the export of the run contains them in full. */
const MAX_CHARS = 20_000

function Value({ label, value }: { label: string; value: unknown }) {
  if (value === undefined) return null
  const text = typeof value === 'string' ? value : readable(value)
  return (
    <div>
      <span className="label">{label}</span>
      <pre className="code mt-1 max-h-80 overflow-auto" tabIndex={0}>
        {text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text}
      </pre>
    </div>
  )
}

/** JSON, with the one thing that people want to read, a query or a program, as its lines are. */
function readable(value: unknown): string {
  if (typeof value === 'object' && value !== null) {
    const { sql, code } = value as { sql?: unknown; code?: unknown }
    if (typeof sql === 'string') return sql
    if (typeof code === 'string') return code
  }
  return JSON.stringify(value, undefined, 2)
}
