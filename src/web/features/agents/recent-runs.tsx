import { Link } from '@tanstack/react-router'
import { Check, CircleDashed, CircleSlash, TriangleAlert } from 'lucide-react'
import type { Schemas } from '../../../client/api-types.ts'
import { ServerText } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'

/** How an agent did of late, and what went wrong, each with the way to its run. */
export function RecentRuns({ of: { done, failed, declined, errors, at } }: { of: Schemas['AgentLately'] }) {
  const { formats, words } = useWords()
  const say = words.agentsPage
  const [Icon, tone, text] =
    failed > 0
      ? ([TriangleAlert, 'text-warn', say.failed({ n: failed, all: done + failed + declined })] as const)
      : declined > 0
        ? ([
            CircleSlash,
            'text-text-3',
            done === 0 ? say.declinedAll({ n: declined }) : say.declinedSome({ n: declined, all: done + declined }),
          ] as const)
        : done > 0
          ? ([Check, 'text-ok', say.well({ n: done })] as const)
          : ([CircleDashed, 'text-text-3', at === undefined ? say.notAsked : say.asked] as const)
  return (
    <div className="flex flex-col gap-1.5 border-t border-line pt-2 text-12 text-text-2">
      <p className="flex items-start gap-1.5">
        <Icon size={14} aria-hidden className={`mt-0.5 flex-none ${tone}`} />
        <span>
          {text}
          {at === undefined ? null : <span className="text-text-3"> · {formats.date(Date.parse(at))}</span>}
        </span>
      </p>
      {errors.length === 0 ? null : (
        <details>
          <summary className="cursor-pointer text-accent-text">{say.errors}</summary>
          <ul className="mt-1.5 flex flex-col gap-1.5">
            {errors.map(({ runId, at: when, message }) => (
              <li key={`${runId} ${when}`} className="wrap-anywhere">
                <ServerText text={message} />{' '}
                <Link to="/runs/$runId" params={{ runId }} className="text-accent-text hover:underline">
                  {formats.date(Date.parse(when))}
                </Link>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
