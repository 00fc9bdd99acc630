import type { LucideIcon } from 'lucide-react'
import { Check, CircleAlert, RefreshCw, Trash2, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Schemas } from '../../../client/api-types.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmIconButton } from '../../ui/confirm-dialog.tsx'
import { ServerText } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'

export type Source = Schemas['SetUpSource']
export type Tried = Schemas['Tried']
export type State = 'none' | 'checking' | 'works' | 'fails' | 'connected'

const TONES = {
  none: '',
  checking: 'tone-info',
  works: 'tone-ok',
  fails: 'tone-bad',
  connected: 'tone-ok',
}

interface StepProps {
  readonly kind: 'model' | 'database' | 'documents' | 'mailbox'
  readonly icon: LucideIcon
  readonly tone: string
  readonly state: State
  readonly children: ReactNode
  /** Check results, shown below the state. */
  readonly results: ReactNode
  /** Absent if it cannot be tested here. */
  readonly test?: () => void
  readonly canTest?: boolean
}

/** A step of the setup: the form, and its result beside it. */
export function Step({ kind, icon: Icon, tone, state, children, results, test, canTest = false }: StepProps) {
  const texts = useWords().words.setup
  return (
    <section className="card grid overflow-hidden xl:grid-cols-[minmax(0,1fr)_22rem]" aria-label={texts.kind[kind]}>
      <div className="min-w-0 p-4">
        <header className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className={`grid size-7 flex-none place-items-center rounded-lg ${tone}`}>
            <Icon size={16} aria-hidden />
          </span>
          <h3 className="text-15 font-semibold">{texts.kind[kind]}</h3>
          <p className="text-13 text-text-2">{texts.about[kind]}</p>
        </header>
        {children}
      </div>
      <div className="min-w-0 border-t border-line bg-surface-2 p-4 xl:border-t-0 xl:border-l">
        <header className="mb-2 flex items-center gap-2 text-12 text-text-2">
          {texts.check}
          <span className={`badge ${TONES[state]}`} role="status">
            {state === 'checking' ? <span className="spin" aria-hidden /> : null}
            {texts.state[state]}
          </span>
          {test === undefined ? null : (
            <Button
              label={texts.tryIt}
              icon={RefreshCw}
              className="btn-sm btn-ghost -my-1 ml-auto"
              disabled={!canTest || state === 'checking'}
              onClick={test}
            />
          )}
        </header>
        <ul className="flex flex-col gap-2 text-13">{results}</ul>
      </div>
    </section>
  )
}

const RESULT_ICONS = { ok: Check, bad: CircleAlert, warn: TriangleAlert }

/** One check result. */
export function Result({ tone, text, after }: { tone: keyof typeof RESULT_ICONS; text: ReactNode; after?: ReactNode }) {
  const Icon = RESULT_ICONS[tone]
  return (
    <li className="flex items-start gap-2">
      <Icon size={16} aria-hidden className={`mt-0.5 flex-none text-${tone}`} />
      <span className="min-w-0 flex-1 wrap-anywhere">{text}</span>
      {after}
    </li>
  )
}

const ABILITIES = ['streaming', 'tools', 'parallelTools', 'structuredOutput'] as const

/** Result of the test. */
export function TestResults({ result: { ok, message, latencyMs, protections, abilities } }: { result: Tried }) {
  const { formats } = useWords()
  const texts = useWords().words.setup
  return (
    <>
      <Result
        tone={ok ? 'ok' : 'bad'}
        text={<ServerText text={message} />}
        after={<span className="mono text-12 text-text-2">{formats.duration(latencyMs)}</span>}
      />
      {abilities !== undefined &&
        ABILITIES.map((ability) => (
          <Result key={ability} tone={abilities[ability] ? 'ok' : 'warn'} text={texts.ability[ability]} />
        ))}
      {protections === undefined ? null : (
        <Result tone="ok" text={texts.protections({ names: protections.standing.join(', ') })} />
      )}
      {protections?.weak.map((one) => (
        <Result key={one} tone="warn" text={texts.weak({ what: one })} />
      ))}
    </>
  )
}

/** A connected source, and where it is configured. */
export function SourceLine({
  source,
  disconnect,
}: {
  source: Source
  disconnect: ((source: Source) => void) | undefined
}) {
  const texts = useWords().words.setup
  const { name, about, from, isUsed, found, problem } = source
  return (
    <Result
      tone={problem !== undefined ? 'bad' : isUsed ? 'ok' : 'warn'}
      after={
        <>
          <span className="badge">{texts.from[from]}</span>
          {from === 'page' && disconnect !== undefined ? (
            <ConfirmIconButton
              icon={Trash2}
              size={14}
              label={texts.disconnect}
              object={name}
              className="btn-sm -my-1"
              consequences={texts.disconnectSure({ name })}
              yes={() => disconnect(source)}
            />
          ) : null}
        </>
      }
      text={
        <>
          <b className="font-medium">{name}</b>{' '}
          <span className="text-12 text-text-2">
            {isUsed ? <ServerText text={problem ?? found ?? about} /> : texts.notUsed}
          </span>
          {found === undefined || !isUsed ? null : <span className="mono block text-11 text-text-2">{about}</span>}
        </>
      }
    />
  )
}
