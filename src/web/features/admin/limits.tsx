import { Gauge, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api, type Items } from '../../../client/api.ts'
import { useChange, useGet } from '../../app/data.ts'
import { Choice, Field, Section } from '../../ui/field.tsx'
import { formatAmount, type Measure, type Period, type Quota } from '../../ui/limit.tsx'
import { Fetched } from '../../ui/page.tsx'
import { Empty, Trouble } from '../../ui/states.tsx'
import { offerUndo } from '../../ui/undo.tsx'
import { useWords } from '../../locales/words.tsx'
import { useGrantees } from './grantees.ts'
import { IconButton } from '../../ui/button.tsx'

/** How many of the server's units one of the people's is. */
const UNIT: Readonly<Record<Measure, number>> = { cost: 1_000_000, tokens: 1, runs: 1, storage: 1_000_000 }

/** How much everyone, groups and people may use. */
export function Limits() {
  const spoken = useWords()
  const { words } = spoken
  const nameOf = useGrantees()
  const [given, setGiven] = useState({
    to: 'everyone',
    measure: 'cost' as Measure,
    period: 'month' as Period,
    most: '',
  })
  const set = useChange(
    (quota: Omit<Quota, 'most'> & { most?: number }) => api.put('/limits', quota),
    '/limits',
    '/audit',
  )
  const most = Math.round(Number(given.most.replace(',', '.')) * UNIT[given.measure])
  return (
    <>
      <Section title={words.admin.newLimit} lead={words.admin.newLimitLead}>
        <form
          className="grid items-end gap-3 p-4 sm:grid-cols-2 lg:grid-cols-[1fr_1fr_1fr_1fr_auto]"
          onSubmit={(event) => {
            event.preventDefault()
            set.mutate({ ...given, most }, { onSuccess: () => setGiven({ ...given, most: '' }) })
          }}
        >
          <Choice
            label={words.admin.forWhom}
            value={given.to}
            options={nameOf}
            say={(to) => setGiven({ ...given, to })}
          />
          <Choice
            label={words.admin.ofWhat}
            value={given.measure}
            options={words.limit.measure}
            say={(measure) => setGiven({ ...given, measure })}
          />
          <Choice
            label={words.admin.howLong}
            value={given.period}
            options={words.limit.period}
            say={(period) => setGiven({ ...given, period })}
          />
          <Field
            label={words.limit.unit[given.measure]}
            required
            inputMode="decimal"
            pattern="\d+([.,]\d+)?"
            value={given.most}
            say={(text) => setGiven({ ...given, most: text })}
          />
          <button type="submit" className="btn btn-primary h-9" disabled={set.isPending}>
            {words.app.save}
          </button>
        </form>
        {set.error === null ? null : <Trouble error={set.error} />}
      </Section>
      <Section title={words.admin.limits}>
        <Fetched query={useGet<Items<Quota>>('/limits/all')}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty icon={Gauge} title={words.admin.noLimits}>
                {words.admin.noLimitsHint}
              </Empty>
            ) : (
              <ul>
                {items.map((quota) => (
                  <li key={`${quota.to} ${quota.measure} ${quota.period}`} className="line">
                    <span className="min-w-0 flex-1 font-medium wrap-anywhere">{nameOf[quota.to] ?? quota.to}</span>
                    <span className="text-text-2">
                      {words.limit.measure[quota.measure]} {words.limit.period[quota.period]}
                    </span>
                    <b className="num">{formatAmount(quota.measure, quota.most, spoken)}</b>
                    <IconButton
                      icon={Trash2}
                      label={`${words.admin.dropLimit}: ${nameOf[quota.to]}, ${words.limit.measure[quota.measure]}`}
                      title={words.admin.dropLimit}
                      onClick={() => {
                        const { to, measure, period } = quota
                        const text = words.admin.limitGone({ what: words.limit.measure[measure] })
                        const undo = (): void => set.mutate(quota)
                        set.mutate({ to, measure, period }, { onSuccess: () => offerUndo({ text, undo }) })
                      }}
                    />
                  </li>
                ))}
              </ul>
            )
          }
        </Fetched>
      </Section>
    </>
  )
}
