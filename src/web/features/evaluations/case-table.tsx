import { CircleCheck, CircleMinus, CircleX, ListTree, TriangleAlert, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { LinkButton } from '../../ui/button.tsx'
import { Section } from '../../ui/field.tsx'
import { DisclosureRow, Hint, Cut } from '../../ui/list.tsx'
import { Banner, ServerText } from '../../ui/states.tsx'
import { showInvisible } from '../../ui/show-invisible.ts'
import { useWords } from '../../locales/words.tsx'
import { Words } from '../chat/markdown.tsx'
import { expectedText, decisiveTurn, type CaseResult, type Verdict } from './case.ts'
import type { Pair } from './results.tsx'

const FILTERS = ['worst', 'wrong', 'all'] as const
type Filter = (typeof FILTERS)[number]

/** Maximum number of rows listed. More can be found with the filter. */
const MAX_ROWS = 200

const isChanged = ({ before, after }: Pair): boolean => before?.verdict !== after?.verdict
const isBad = (one: CaseResult | undefined): boolean => one?.verdict === 'wrong' || one?.verdict === 'failed'

interface CaseTableProps {
  readonly pairs: readonly Pair[]
  /** Empty for all sets. */
  readonly set: string
  readonly isCompared: boolean
}

/** The cases, worst results first, with the expected and the actual answer. */
export function CaseTable({ pairs, set, isCompared }: CaseTableProps) {
  const { words, formats } = useWords()
  const pairsOf: Readonly<Record<Filter, readonly Pair[]>> = {
    worst: pairs.filter((one) => isBad(one.after) || (isCompared && isChanged(one))),
    wrong: pairs.filter(({ after }) => after?.verdict === 'wrong'),
    all: pairs,
  }
  const [filter, setFilter] = useState<Filter>(pairsOf.worst.length > 0 ? 'worst' : 'all')
  const listed = pairsOf[filter]
  return (
    <Section
      title={set === '' ? words.evaluations.allCases : set}
      actions={
        <div className="seg" role="group" aria-label={words.evaluations.allCases}>
          {FILTERS.map((one) => (
            <button key={one} type="button" aria-pressed={one === filter} onClick={() => setFilter(one)}>
              {words.evaluations.filter[one === 'worst' && !isCompared ? 'bad' : one]}{' '}
              {formats.number(pairsOf[one].length)}
            </button>
          ))}
        </div>
      }
    >
      {listed.length === 0 ? <Hint>{words.evaluations.noneSo}</Hint> : null}
      <ul>
        {listed.slice(0, MAX_ROWS).map((pair) => (
          <DisclosureRow
            key={JSON.stringify([pair.set, pair.id])}
            summary={
              <>
                <Asked pair={pair} />
                <span className="flex min-w-0 flex-col gap-1">
                  {isCompared ? <Outcome result={pair.before} name={words.evaluations.before} /> : null}
                  <Outcome result={pair.after} name={isCompared ? words.evaluations.now : undefined} />
                </span>
              </>
            }
            className="grid gap-x-4 gap-y-1 py-2.5 md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]"
          >
            <Detail pair={pair} isCompared={isCompared} />
          </DisclosureRow>
        ))}
      </ul>
      {listed.length > MAX_ROWS ? (
        <p className="px-4 py-3 text-12 text-text-2">
          {words.evaluations.of({ n: formats.number(MAX_ROWS), all: formats.number(listed.length) })}
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
      <Cut text={showInvisible(question)} className="block font-medium" />
      {expected === '' ? null : (
        <Cut
          text={words.evaluations.expects({ what: showInvisible(expected) })}
          className="block text-12 text-text-2"
        />
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
function Outcome({ result, name }: { result: CaseResult | undefined; name: string | undefined }) {
  const { words } = useWords()
  const label = name === undefined ? null : <span className="w-14 flex-none text-12 text-text-3">{name}</span>
  if (result === undefined) {
    return (
      <span className="flex items-center gap-2 text-text-3">
        {label}
        {words.evaluations.notAsked}
      </span>
    )
  }
  const [Icon, tone] = MARKS[result.verdict]
  const answer = decisiveTurn(result)?.answer.replaceAll('**', '')
  const answerText = result.error ?? (answer || words.evaluations.noAnswer)
  return (
    <span className={`flex min-w-0 items-center gap-2 ${tone}`}>
      {label}
      <Icon size={16} aria-hidden className="flex-none" />
      <span className="flex-none font-medium">{words.evaluations.verdict[result.verdict]}</span>
      <Cut text={showInvisible(answerText)} />
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
          {one.error === undefined ? null : <Banner tone="warn" text={one.error} />}
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
      <p className={`wrap-anywhere ${isAlone ? '' : 'font-bold'}`}>{showInvisible(question)}</p>
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
        <LinkButton
          to="/runs/$runId"
          params={{ runId }}
          label={words.evaluations.trace}
          icon={ListTree}
          className="btn-sm self-start"
        />
      )}
    </div>
  )
}
