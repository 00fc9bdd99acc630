import type { LucideIcon } from 'lucide-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../../client/api.ts'
import { Field } from '../../ui/field.tsx'
import { Trouble } from '../../ui/states.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { isWorking, SourceLine, Step, TriedLines, type Source, type Tried } from './step.tsx'
import type { Words } from '../../locales/texts.ts'
import { useWords } from '../../locales/words.tsx'

type Name = keyof Words['setup']['field']

interface Typed {
  readonly name: Name
  readonly isOptional?: true
  readonly isSecret?: true
  readonly hint?: keyof Words['setup']['hint']
  readonly placeholder?: string
  readonly isWide?: true
}

/** Form fields per kind of source. */
const FIELDS: Readonly<Record<Source['kind'], readonly Typed[]>> = {
  model: [
    { name: 'address', placeholder: 'http://127.0.0.1:11434/v1' },
    { name: 'model', isOptional: true, hint: 'modelName' },
    { name: 'key', isOptional: true, isSecret: true, hint: 'key', isWide: true },
  ],
  database: [
    { name: 'address', placeholder: 'postgres://reader:password@host/shop', hint: 'database' },
    { name: 'name', placeholder: 'shop' },
    { name: 'schema', isOptional: true, hint: 'schema', placeholder: 'public', isWide: true },
  ],
  mailbox: [
    { name: 'server', placeholder: 'imap.example.com' },
    { name: 'user' },
    { name: 'password', isSecret: true },
    { name: 'from', placeholder: 'Ada <ada@example.com>' },
    { name: 'smtp', isOptional: true, hint: 'smtp', placeholder: 'smtp.example.com' },
  ],
}

interface ConnectProps {
  readonly kind: Source['kind']
  readonly icon: LucideIcon
  readonly tone: string
  readonly items: readonly Source[]
  readonly isClosed: boolean
  /** True while the server reopens its sources. */
  readonly isOpening: boolean
  readonly drop: (source: Source) => void
  readonly connected: () => void
}

/** Connects a model, a database or the mailbox: enter, test, save. */
export function Connect({ kind, icon, tone, items, isClosed, isOpening, drop, connected }: ConnectProps) {
  const say = useWords().words.setup
  const [given, setGiven] = useState<Partial<Record<Name, string>>>({})
  const [tried, setTried] = useState<Tried | undefined>()
  const [isSecretTyped, setSecretTyped] = useState(false)
  const fields = FIELDS[kind]
  const body = Object.fromEntries(
    fields.flatMap(({ name }) => (given[name]?.trim() ? [[name, given[name].trim()] as const] : [])),
  )
  const isWhole = fields.every(({ name, isOptional }) => isOptional === true || name in body)
  const typed = JSON.stringify(body)
  /** The active check, and the values checked last. */
  const under = useRef({ check: new AbortController(), typed: '' })
  const begin = (): AbortSignal => {
    under.current.check.abort()
    under.current = { check: new AbortController(), typed }
    return under.current.check.signal
  }
  const trying = useMutation({
    mutationFn: () => api.post<Tried>('/setup/try', { kind, ...body }, begin()),
    onSuccess: setTried,
  })
  const keeping = useMutation({
    mutationFn: () => {
      begin()
      return api.put<Tried>(`/setup/${kind}`, body)
    },
    onSuccess(found) {
      setTried(found)
      // Secrets are entered once and never shown again.
      setGiven({})
      connected()
    },
  })
  const isBusy = trying.isPending || keeping.isPending || isOpening
  const error = keeping.error ?? trying.error
  const used = items.filter(({ isUsed }) => isUsed)
  const isBroken = tried === undefined && used.length > 0 && used.every(({ problem }) => problem !== undefined)
  const state =
    trying.isPending || keeping.isPending
      ? 'checking'
      : error !== null || tried?.ok === false || isBroken
        ? 'fails'
        : used.length > 0
          ? tried === undefined && !used.some(isWorking)
            ? 'untried'
            : 'connected'
          : tried === undefined
            ? 'none'
            : 'works'
  const { mutate: tryIt } = trying
  const isReady = isWhole && !isClosed && !isOpening && !keeping.isPending && !isSecretTyped
  // Test automatically once typing pauses. Test a password only on blur, since hosts count failed attempts.
  const rested = useDebounced(typed)
  useEffect(() => {
    if (isReady && rested === typed && under.current.typed !== typed) tryIt()
  }, [isReady, rested, typed, tryIt])
  useEffect(() => () => under.current.check.abort(), [])
  const type = (name: Name) => (value: string) => {
    setGiven({ ...given, [name]: value })
    // The result belongs to the previous values.
    under.current.check.abort()
    under.current.typed = ''
    setTried(undefined)
    trying.reset()
    keeping.reset()
  }
  return (
    <Step
      kind={kind}
      icon={icon}
      tone={tone}
      state={state}
      tryIt={() => trying.mutate()}
      canTry={isWhole && !isClosed && !isOpening}
      beside={
        <>
          {tried === undefined ? null : <TriedLines tried={tried} />}
          {items.map((source) => (
            <SourceLine
              key={`${source.kind} ${source.name} ${source.isUsed}`}
              source={source}
              drop={isClosed || isBusy ? undefined : drop}
            />
          ))}
        </>
      }
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          trying.reset()
          keeping.mutate()
        }}
      >
        <div className="grid gap-3 sm:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          {fields.map(({ name, isOptional, isSecret, hint, placeholder, isWide }) => (
            <div key={name} className={isWide === true ? 'sm:col-span-2' : ''}>
              <Field
                label={say.field[name]}
                value={given[name] ?? ''}
                say={type(name)}
                required={isOptional !== true}
                disabled={isClosed}
                autoComplete="off"
                spellCheck={false}
                {...(isSecret === true
                  ? { type: 'password', onFocus: () => setSecretTyped(true), onBlur: () => setSecretTyped(false) }
                  : {})}
                {...(hint === undefined ? {} : { hint: say.hint[hint] })}
                {...(placeholder === undefined ? {} : { placeholder })}
              />
            </div>
          ))}
        </div>
        {error === null ? null : <Trouble error={error} isInText />}
        <button
          type="submit"
          className="btn self-start"
          disabled={isClosed || keeping.isPending || isOpening || !isWhole}
        >
          {keeping.isPending ? say.connecting : say.connect}
        </button>
      </form>
    </Step>
  )
}
