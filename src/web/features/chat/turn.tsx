import { Link, useParams } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, Pencil } from 'lucide-react'
import { Fragment, useMemo, useRef, useState } from 'react'
import { isQuestion, workMs } from '../../../client/run.ts'
import type { RunView } from '../../run/run-log.ts'
import { asksForPlan, confirmationIn, runSteps, type Step } from '../../run/steps.ts'
import { AgentMark, useAgentName } from '../../ui/agent-mark.tsx'
import { Form } from '../../ui/form.tsx'
import { apiError, Loading, LoadError } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { useNow } from '../../ui/use-now.ts'
import { Cut } from '../../ui/list.tsx'
import { useWords } from '../../locales/words.tsx'
import { ApprovalCard } from '../approvals/approval-card.tsx'
import { TraceStep } from '../run/trace-step.tsx'
import { Answer, type AnswerProps } from './answer.tsx'
import type { Question } from './question-options.ts'
import { PlanCard } from './plan-card.tsx'
import { QuestionCard } from './question-card.tsx'
import { UserText } from './user-text.tsx'
import { Button, IconButton } from '../../ui/button.tsx'

interface TurnProps extends Omit<AnswerProps, 'view'> {
  readonly question: string
  readonly view: RunView | undefined
  readonly error: Error | undefined
  /** Asks an edited question as a new version of this turn; absent if that is not possible. */
  readonly edit?: ((question: string) => void) | undefined
  readonly showPlan?: () => void
  /** Conversations that branch here, in order, if there are any. */
  readonly versions?: readonly string[] | undefined
}

/** A question and its result: steps, answer, sources. */
export function Turn({ question, view, error, edit, showPlan, versions, ...answer }: TurnProps) {
  const steps = useMemo(() => (view === undefined ? [] : runSteps(view)), [view])
  const confirmation = view === undefined ? undefined : confirmationIn(view)
  const asked = [...(view?.asked.values() ?? [])].filter((one) => !asksForPlan(one))
  // The text beside a call stands above it.
  const waiting = asked.find(({ approvalId }) => view?.state.openApprovals.has(approvalId))
  // A lost connection is shown below the page, and the stream reconnects automatically.
  const isAway = view !== undefined && error instanceof TypeError
  return (
    <article className="flex flex-col gap-4" aria-label={question}>
      <Asked question={question} view={view} edit={edit} versions={versions} />
      <LoadError error={isAway ? undefined : error} isInText>
        {view === undefined ? <Loading /> : null}
      </LoadError>
      {view === undefined ? null : (
        <>
          <Work steps={steps} view={view} />
          {confirmation === undefined ? null : (
            <PlanCard view={view} approvalId={confirmation} {...(showPlan === undefined ? {} : { showPlan })} />
          )}
          {asked.map((one) => {
            const Card = isQuestion(one) ? QuestionCard : ApprovalCard
            return (
              <Fragment key={one.approvalId}>
                {one === waiting ? <Answer view={view} {...answer} /> : null}
                <Card approvalId={one.approvalId} view={view} />
              </Fragment>
            )
          })}
          {waiting === undefined ? <Answer view={view} {...answer} /> : null}
        </>
      )}
    </article>
  )
}

/** The question and its files. */
function Asked({ question, view, edit, versions }: Pick<TurnProps, 'question' | 'view' | 'edit' | 'versions'>) {
  const { words } = useWords()
  const [draft, setDraft] = useState<string | undefined>()
  const isBack = useRef(false)
  const leave = (): void => {
    isBack.current = true
    setDraft(undefined)
  }
  const files = view?.state.request.attached ?? []
  if (draft !== undefined && edit !== undefined) {
    const send = (): void => {
      if (draft.trim() === '') return
      edit(draft.trim())
      setDraft(undefined)
    }
    return (
      <Form className="ml-auto flex w-full max-w-[85%] flex-col gap-2" submit={send}>
        <textarea
          className="input text-15"
          autoFocus
          value={draft}
          aria-label={words.answer.edit}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') leave()
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            send()
          }}
        />
        <span className="flex items-center justify-end gap-2">
          <span className="mr-auto text-12 text-text-3">{words.answer.editHint}</span>
          <Button label={words.answer.keep} className="btn-ghost btn-sm" onClick={leave} />
          <Button
            label={words.composer.send}
            className="btn-primary btn-sm"
            type="submit"
            disabled={draft.trim() === ''}
          />
        </span>
      </Form>
    )
  }
  return (
    <UserText text={question}>
      {edit === undefined ? null : (
        <IconButton
          icon={Pencil}
          size={14}
          label={words.answer.edit}
          className="btn-sm absolute top-1.5 -left-9 opacity-0 group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100"
          ref={(button) => {
            if (isBack.current) button?.focus()
            isBack.current &&= button === null
          }}
          onClick={() => setDraft(question)}
        />
      )}
      {files.map(({ address }) => (
        <span key={address} className="chip">
          <AgentMark actor="rag" />
          <Cut text={address} />
        </span>
      ))}
      {versions === undefined ? null : <Versions all={versions} />}
    </UserText>
  )
}

/** Versions of a question. Each version is a separate conversation from here on. */
function Versions({ all }: { all: readonly string[] }) {
  const { words } = useWords()
  const { conversationId } = useParams({ strict: false })
  const at = all.indexOf(conversationId ?? '')
  const look = 'btn btn-ghost btn-icon btn-sm'
  const step = (to: number, label: string, Icon: typeof ChevronLeft) => {
    const id = all[to]
    return id === undefined ? (
      <span className={look} aria-disabled="true">
        <Icon size={14} aria-hidden />
      </span>
    ) : (
      <Link to="/c/$conversationId" params={{ conversationId: id }} className={look} aria-label={label} title={label}>
        <Icon size={14} aria-hidden />
      </Link>
    )
  }
  return (
    <nav className="flex items-center text-12 text-text-2" aria-label={words.answer.versions}>
      {step(at - 1, words.answer.earlierVersion, ChevronLeft)}
      <span className="num">{words.answer.version({ at: at + 1, all: all.length })}</span>
      {step(at + 1, words.answer.laterVersion, ChevronRight)}
    </nav>
  )
}

/** One line with the current work, which expands into the steps. */
function Work({ steps, view }: { steps: readonly Step[]; view: RunView }) {
  const { words, formats } = useWords()
  const [isOpen, setOpen] = useState(false)
  const now = useNow(!view.isOver)
  const current = steps.filter(({ isReplaced }) => !isReplaced)
  const done = current.filter(({ state }) => state === 'done').length
  const agents = [...new Set(current.filter(({ job }) => job?.task !== undefined).map(({ actor }) => actor))]
  const { startedAt, endedAt } = view.state
  const took = endedAt === undefined ? now - Date.parse(startedAt) : workMs(view.state)
  return (
    <section className="no-print card overflow-hidden">
      <button
        type="button"
        className="flex min-h-10 w-full items-center gap-2 px-3 py-1.5 text-13 hover:bg-surface-2"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight
          size={14}
          aria-hidden
          className={`text-text-3 transition-transform ${isOpen ? 'rotate-90' : ''}`}
        />
        <b className="font-semibold whitespace-nowrap">
          {view.isOver || done === current.length
            ? words.step.all({ n: current.length })
            : words.step.some({ done, all: current.length })}
        </b>
        <span className="whitespace-nowrap text-text-2">· {formats.duration(Math.max(0, took))}</span>
        <span className="hidden items-center gap-1 sm:flex">
          {agents.slice(0, 5).map((agent) => (
            <AgentMark key={agent} actor={agent} />
          ))}
        </span>
        <span className="segs ml-auto hidden sm:flex" aria-hidden>
          {current.slice(0, 12).map(({ id, state }) => (
            <i key={id} data-state={state} />
          ))}
        </span>
        <span className="ml-auto sm:ml-2">
          <StatusBadge status={view.status} answered={view.answered} />
        </span>
      </button>
      {isOpen ? (
        <ol className="border-t border-line">
          {steps.map((step) => (
            <TraceStep key={step.id} step={step} view={view} />
          ))}
        </ol>
      ) : (
        <Now steps={current} now={now} />
      )}
    </section>
  )
}

/** Maximum number of parallel agents shown by name. */
const MAX_AGENTS = 3

/** The active agents, their tasks and their durations. */
function Now({ steps, now }: { steps: readonly Step[]; now: number }) {
  const { formats, describeError } = useWords()
  const nameOf = useAgentName()
  const stepText = (step: Step): string | undefined =>
    step.error === undefined ? step.text : describeError(apiError(step.error)).text
  const busy = steps.filter(({ state }) => state === 'running').slice(0, MAX_AGENTS)
  if (busy.length === 0) return null
  return (
    <ul className="border-t border-line py-1">
      {busy.map((step) => (
        <li key={step.id} className="flex min-h-8 items-center gap-2 px-3 text-13">
          <AgentMark actor={step.actor} />
          <b className="flex-none font-medium">{nameOf(step.actor)}</b>
          <span
            className={`cut flex-1 ${step.error === undefined ? 'text-text-2' : 'text-bad'}`}
            title={stepText(step)}
          >
            {stepText(step)}
          </span>
          <span className="mono flex-none text-text-3">
            {step.startedAt === undefined ? '' : formats.duration(Math.max(0, now - step.startedAt))}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** The files and options with which a question is asked again. */
export function sameOptions({ state: { request } }: RunView): Omit<Question, 'question' | 'strategy'> {
  const { attached = [], preferAgents, disableAgents, models, collections } = request
  const documents = attached[0]?.collection
  return {
    preferAgents,
    disableAgents,
    models,
    ...(collections === undefined ? {} : { collections }),
    ...(documents === undefined ? {} : { documents }),
  }
}
