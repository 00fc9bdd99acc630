import { Link } from '@tanstack/react-router'
import { Section } from '../../ui/field.tsx'
import { Cut } from '../../ui/list.tsx'
import { useWords } from '../../locales/words.tsx'
import { VERDICTS, type Verdict } from './case.ts'
import type { Evaluation } from './evaluations-page.tsx'
import type { Comparison } from './results.tsx'

type Totals = Evaluation['totals']

const COLOURS: Readonly<Record<Verdict, string>> = {
  right: 'bg-(--ok)',
  declined: 'bg-(--border-strong)',
  wrong: 'bg-(--bad)',
  failed: 'bg-(--warn)',
}

/** The results of each set, now and before. A press filters the cases by the set. */
export function SetBars({ evaluation, before, chosen = '' }: Comparison & { chosen: string | undefined }) {
  const { words, formats } = useWords()
  const search = { shown: evaluation.evaluationId, against: before?.evaluationId ?? '' }
  return (
    <Section title={words.evaluations.bySet}>
      <p className="flex flex-wrap gap-x-4 gap-y-1 px-4 pt-3 text-12 text-text-2">
        {VERDICTS.map((one) => (
          <span key={one} className="flex items-center gap-1.5">
            <span className={`size-2 rounded-sm ${COLOURS[one]}`} aria-hidden />
            {words.evaluations.verdict[one]}
          </span>
        ))}
      </p>
      <ul className="p-2">
        {evaluation.sets.map(({ set, totals }) => {
          const was = before?.sets.find((one) => one.set === set)?.totals
          const isChosen = set === chosen
          return (
            <li key={set}>
              <Link
                to="/evaluations"
                search={{ ...search, set: isChosen ? '' : set }}
                className={`flex flex-col gap-1.5 rounded-lg px-2 py-2.5 hover:bg-hover ${isChosen ? 'bg-accent-soft' : ''}`}
                aria-current={isChosen ? 'true' : undefined}
                activeOptions={{ exact: true }}
              >
                <span className="flex items-baseline gap-2 text-13">
                  <Cut text={set} className="font-medium" />
                  <span className="num ml-auto text-12 text-text-2">{formats.number(totals.cases)}</span>
                </span>
                {was === undefined ? null : <Bar totals={was} name={words.evaluations.before} />}
                <Bar totals={totals} {...(was === undefined ? {} : { name: words.evaluations.now })} />
              </Link>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}

function Bar({ totals, name }: { totals: Totals; name?: string }) {
  const { words, formats } = useWords()
  const [right, declined, wrong, failed] = VERDICTS.map((one) => formats.number(totals[one]))
  const counts = words.evaluations.counts({ right: right!, declined: declined!, wrong: wrong!, failed: failed! })
  return (
    <span className="flex items-center gap-2 text-12 text-text-2" title={counts}>
      {name === undefined ? null : <span className="w-14 flex-none">{name}</span>}
      <span className="sr-only">{counts}</span>
      <span className="flex h-2 min-w-0 flex-1 gap-px overflow-hidden rounded-sm" aria-hidden>
        {VERDICTS.map((one) =>
          totals[one] === 0 ? null : (
            <span key={one} className={COLOURS[one]} style={{ width: `${(100 * totals[one]) / totals.cases}%` }} />
          ),
        )}
      </span>
      <span className="num flex-none" aria-hidden>
        {right} · {declined} · <b className={totals.wrong > 0 ? 'text-bad' : ''}>{wrong}</b>
        {totals.failed > 0 ? ` · ${failed}` : ''}
      </span>
    </span>
  )
}
