import { Gauge, Trash2 } from 'lucide-react'
import { api } from '../../../client/api.ts'
import { useChange, useEndpoint, type Answer } from '../../app/data.ts'
import { Choice, Field, Section } from '../../ui/field.tsx'
import { List } from '../../ui/list.tsx'
import { InlineForm, useFields } from '../../ui/form.tsx'
import { Empty, ErrorBanner } from '../../ui/states.tsx'
import { offerUndo } from '../../ui/undo.tsx'
import { useWords } from '../../locales/words.tsx'
import { useGrantees } from './grantees.ts'
import { IconButton } from '../../ui/button.tsx'

/** A limit of the server; cost in millionths of a US dollar. */
type Quota = Answer<'GET /limits/all'>['items'][number]
type Measure = Quota['measure']

/** Units of the server per unit of the form. */
const UNIT: Readonly<Record<Measure, number>> = { cost: 1_000_000, tokens: 1, runs: 1 }

type NewLimit = Readonly<{ to: string; measure: Measure; period: Quota['period']; most: string }>

/** How much everyone, groups and users may use. */
export function Limits() {
  const { words, formats } = useWords()
  const nameOf = useGrantees()
  const stale = ['/limits', '/audit']
  const restore = useChange((quota: Quota) => api.put('/limits', quota), ...stale)
  const remove = useChange(
    async (quota: Quota) => {
      const { to, measure, period } = quota
      await api.put('/limits', { to, measure, period })
      const text = words.admin.limitGone({ what: words.limit.measure[measure] })
      offerUndo({ text, undo: () => restore.mutate(quota) })
    },
    ...stale,
  )
  return (
    <>
      <Section title={words.admin.newLimit} lead={words.admin.newLimitLead}>
        <LimitForm nameOf={nameOf} />
      </Section>
      <Section title={words.admin.limits}>
        <ErrorBanner error={remove.error ?? restore.error} />
        <List
          query={useEndpoint('/limits/all')}
          empty={<Empty icon={Gauge} title={words.admin.noLimits} hint={words.admin.noLimitsHint} />}
        >
          {(quota) => (
            <li key={`${quota.to} ${quota.measure} ${quota.period}`} className="line">
              <span className="min-w-0 flex-1 font-medium wrap-anywhere">{nameOf[quota.to] ?? quota.to}</span>
              <span className="text-text-2">
                {words.limit.measure[quota.measure]} {words.limit.period[quota.period]}
              </span>
              <b className="num">
                {quota.measure === 'cost' ? formats.money(quota.most / UNIT.cost) : formats.compact(quota.most)}
              </b>
              <IconButton
                icon={Trash2}
                label={`${words.admin.dropLimit}: ${nameOf[quota.to]}, ${words.limit.measure[quota.measure]}`}
                onClick={() => remove.mutate(quota)}
              />
            </li>
          )}
        </List>
      </Section>
    </>
  )
}

function LimitForm({ nameOf }: { nameOf: ReturnType<typeof useGrantees> }) {
  const { words } = useWords()
  const { values, field } = useFields<NewLimit>({ to: 'everyone', measure: 'cost', period: 'month', most: '' })
  const set = useChange(
    async () => {
      const most = Math.round(Number(values.most.replace(',', '.')) * UNIT[values.measure])
      await api.put('/limits', { ...values, most })
      field('most').onChange('')
    },
    '/limits',
    '/audit',
  )
  return (
    <InlineForm mutation={set} action={words.app.save} layout="grid sm:grid-cols-2 lg:grid-cols-[1fr_1fr_1fr_1fr_auto]">
      <Choice label={words.admin.forWhom} options={nameOf} {...field('to')} />
      <Choice label={words.admin.ofWhat} options={words.limit.measure} {...field('measure')} />
      <Choice label={words.admin.howLong} options={words.limit.period} {...field('period')} />
      <Field
        label={words.limit.unit[values.measure]}
        required
        inputMode="decimal"
        pattern="\d+([.,]\d+)?"
        {...field('most')}
      />
    </InlineForm>
  )
}
