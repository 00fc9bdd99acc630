import { Link } from '@tanstack/react-router'
import { CircleCheck, CircleMinus, CircleX, ListTree, TriangleAlert, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { Section } from '../../ui/field.tsx'
import { showInvisible } from '../../ui/show-invisible.ts'
import { ServerText } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { Words } from '../chat/markdown.tsx'
import { expectedText, decisiveTurn, type CaseResult, type Verdict } from './case.ts'
import type { Pair } from './results.tsx'

const FILTERS = ['worst', 'wrong', 'all'] as const
type Filter = (typeof FILTERS)[number]

/** Maximum number of rows shown. More can be found with the filter. */
const MAX_ROWS = 200

const isChanged = ({ before, after }: Pair): boolean => before?.verdict !== after?.verdict
const isBad = (one: CaseResult | undefined): boolean => one?.verdict === 'wrong' || one?.verdict === 'failed'

/** The cases, worst results first, with the expected and the actual answer. */
export function CaseTable({
  pairs,
  set = '',
  isCompared,
}: {
  pairs: readonly Pair[]
  set: string | undefined
  isCompared: boolean
}) {
  const { words, formats } = useWords()
  const some: Readonly<Record<Filter, readonly Pair[]>> = {
    worst: pairs.filter((one) => isBad(one.after) || (isCompared && isChanged(one))),
    wrong: pairs.filter(({ after }) => after?.verdict === 'wrong'),
    all: pairs,
  }
  const [filter, setFilter] = useState<Filter>(some.worst.length > 0 ? 'worst' : 'all')
  const [open, setOpen] = useState<string>()
  const shown = some[filter]
  const keyOf = ({ set: name, id }: Pair): string => JSON.stringify([name, id])
  return (
    <Section
      title={set === '' ? words.evaluations.allCases : set}
      actions={
        <div className="seg" role="group" aria-label={words.evaluations.allCases}>
          {FILTERS.map((one) => (
            <button key={one} type="button" aria-pressed={one === filter} onClick={() => setFilter(one)}>
              {words.evaluations.filter[one === 'worst' && !isCompared ? 'bad' : one]}{' '}
              {formats.number(some[one].length)}
            </button>
          ))}
        </div>
      }
    >
      {shown.length === 0 ? <p className="px-4 py-5 text-13 text-text-2">{words.evaluations.noneSo}</p> : null}
      <ul>
        {shown.slice(0, MAX_ROWS).map((pair) => {
          const key = keyOf(pair)
          return (
            <li key={key} className="border-b border-line last:border-b-0">
              <button
                type="button"
                className="grid w-full gap-x-4 gap-y-1 px-4 py-2.5 text-left text-13 hover:bg-hover md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]"
                aria-expanded={key === open}
                onClick={() => setOpen(key === open ? undefined : key)}
              >
                <Asked pair={pair} />
                <span className="flex min-w-0 flex-col gap-1">
                  {isCompared ? <Outcome of={pair.before} name={words.evaluations.before} /> : null}
                  <Outcome of={pair.after} {...(isCompared ? { name: words.evaluations.now } : {})} />
                </span>
              </button>
              {key === open ? <Detail pair={pair} isCompared={isCompared} /> : null}
            </li>
          )
        })}
      </ul>
      {shown.length > MAX_ROWS ? (
        <p className="px-4 py-3 text-12 text-text-2">
          {words.evaluations.of({ n: formats.number(MAX_ROWS), all: formats.number(shown.length) })}
        </p>
      ) : null}
    </Section>
  )
}

function Asked({ pair: { before, after, id } }: { pair: Pair }) {
  const { words } = useWords()
  const one = (after ?? before)!
  const question = decisiveTurn(one)?.question ?? id
  const expected = expectedText(one)
  return (
    <span className="min-w-0">
      <span className="cut block font-medium" title={question}>
        {showInvisible(question)}
      </span>
      {expected === '' ? null : (
        <span className="cut block text-12 text-text-2" title={expected}>
          {words.evaluations.expects({ what: showInvisible(expected) })}
        </span>
      )}
    </span>
  )
}

const MARKS: Readonly<Record<Verdict, readonly [LucideIcon, string]>> = {
  right: [CircleCheck, 'text-ok'],
  declined: [CircleMinus, 'text-text-2'],
  wrong: [CircleX, 'text-bad'],
  failed: [TriangleAlert, 'text-warn'],
}

/** The outcome of a case and the beginning of its answer. */
function Outcome({ of, name }: { of: CaseResult | undefined; name?: string }) {
  const { words } = useWords()
  const label = name === undefined ? null : <span className="w-14 flex-none text-12 text-text-3">{name}</span>
  if (of === undefined) {
    return (
      <span className="flex items-center gap-2 text-text-3">
        {label}
        {words.evaluations.notAsked}
      </span>
    )
  }
  const [Icon, tone] = MARKS[of.verdict]
  const answer = decisiveTurn(of)?.answer.replaceAll('**', '')
  const answerText = of.error ?? (answer || words.evaluations.noAnswer)
  return (
    <span className={`flex min-w-0 items-center gap-2 ${tone}`}>
      {label}
      <Icon size={16} aria-hidden className="flex-none" />
      <span className="flex-none font-medium">{words.evaluations.verdict[of.verdict]}</span>
      <span className="cut" title={answerText}>
        {showInvisible(answerText)}
      </span>
    </span>
  )
}

/** Details of a case: its turns, the full answers, the queries to the sources, and a link to the run. */
function Detail({ pair: { before, after }, isCompared }: { pair: Pair; isCompared: boolean }) {
  const { words } = useWords()
  const sides = [...(isCompared && before !== undefined ? [before] : []), ...(after === undefined ? [] : [after])]
  return (
    <div className={`grid gap-4 bg-surface-2 px-4 py-3 text-13 ${sides.length > 1 ? 'md:grid-cols-2' : ''}`}>
      {sides.map((one) => (
        <div key={one === after ? 'after' : 'before'} className="flex min-w-0 flex-col gap-3">
          {sides.length > 1 ? (
            <p className="label">{one === after ? words.evaluations.now : words.evaluations.before}</p>
          ) : null}
          {one.error === undefined ? null : <p className="banner tone-warn">{one.error}</p>}
          {one.turns.map((turn, at) => (
            <Turn key={at} turn={turn} isAlone={one.turns.length === 1} />
          ))}
          {(one.reference ?? []).map((text) => (
            <pre key={text} className="mono overflow-x-auto text-12 whitespace-pre-wrap text-text-2" tabIndex={0}>
              {showInvisible(text)}
            </pre>
          ))}
        </div>
      ))}
    </div>
  )
}

function Turn({ turn, isAlone }: { turn: CaseResult['turns'][number]; isAlone: boolean }) {
  const { words } = useWords()
  const { question, answer, format, checks, notes, detail = [], runId } = turn
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {isAlone ? (
        <p className="wrap-anywhere">{showInvisible(question)}</p>
      ) : (
        <b className="wrap-anywhere">{showInvisible(question)}</b>
      )}
      {checks.length === 0 ? null : (
        <div>
          <p className="label">{words.evaluations.expected}</p>
          <ul>
            {checks.map(({ scorer, expected, passed, why }) => (
              <li key={`${scorer} ${expected}`} className={`wrap-anywhere ${passed ? '' : 'text-bad'}`}>
                {passed ? '✓' : '✗'} {showInvisible(expected)}
                {why === undefined ? '' : ` – ${showInvisible(why)}`}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className="min-w-0 [&_.prose]:text-13">
        <p className="label">{words.evaluations.answered}</p>
        {answer === '' ? (
          words.evaluations.noAnswer
        ) : (
          <Words text={showInvisible(answer)} format={format} mark={() => undefined} />
        )}
      </div>
      {detail.map((text) => (
        <pre
          key={text}
          className="mono overflow-x-auto rounded-lg border border-line bg-surface p-2 text-12 whitespace-pre-wrap"
          tabIndex={0}
        >
          {showInvisible(text)}
        </pre>
      ))}
      {notes.map((note) => (
        <p key={note} className="text-12 text-text-2 wrap-anywhere">
          <ServerText text={showInvisible(note)} />
        </p>
      ))}
      {runId === undefined ? null : (
        <Link to="/runs/$runId" params={{ runId }} className="btn btn-sm self-start">
          <ListTree size={14} aria-hidden />
          {words.evaluations.trace}
        </Link>
      )}
    </div>
  )
}
