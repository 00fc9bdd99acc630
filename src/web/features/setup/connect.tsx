import type { LucideIcon } from 'lucide-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { ErrorBanner } from '../../ui/states.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { SourceLine, Step, TestResults, type Source, type State, type Tried } from './step.tsx'
import type { Words } from '../../locales/texts.ts'
import { useWords } from '../../locales/words.tsx'

type Name = keyof Words['setup']['field']

interface SetupField {
  readonly name: Name
  readonly isOptional?: boolean
  readonly isSecret?: boolean
  readonly hint?: keyof Words['setup']['hint']
  readonly placeholder?: string
  readonly isWide?: boolean
}

/** Form fields per kind of source. */
const FIELDS: Readonly<Record<Source['kind'], readonly SetupField[]>> = {
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
  readonly disconnect: (source: Source) => void
  readonly onConnect: () => void
}

/** Connects a model, a database or the mailbox: enter, test, save. */
export function Connect({ kind, icon, tone, items, isClosed, isOpening, disconnect, onConnect }: ConnectProps) {
  const texts = useWords().words.setup
  const [values, setValues] = useState<Partial<Record<Name, string>>>({})
  const [isSecretTyped, setSecretTyped] = useState(false)
  const fields = FIELDS[kind]
  const body = Object.fromEntries(
    fields.flatMap(({ name }) => (values[name]?.trim() ? [[name, values[name].trim()] as const] : [])),
  )
  const typed = JSON.stringify(body)
  const settled = useDebounced(typed)
  const isComplete = fields.every(({ name, isOptional }) => isOptional === true || name in body)
  const canTest = isComplete && !isClosed && !isOpening
  const save = useMutation({
    mutationFn: () => api.put<Tried>(`/setup/${kind}`, body),
    onSuccess() {
      // Secrets are entered once and never shown again.
      setValues({})
      onConnect()
    },
  })
  const test = useQuery({
    queryKey: ['/setup/try', kind, typed],
    queryFn: ({ signal }) => api.post<Tried>('/setup/try', { kind, ...body }, signal),
    // Test automatically once typing pauses. Test a password only on blur, since hosts count failed attempts.
    enabled: canTest && settled === typed && !isSecretTyped && save.isIdle,
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  })
  const error = save.error ?? test.error
  const result = save.data ?? test.data
  const isTesting = test.isFetching || save.isPending
  return (
    <Step
      kind={kind}
      icon={icon}
      tone={tone}
      state={isTesting ? 'checking' : stateOf(items, result, error)}
      test={() => void test.refetch()}
      canTest={canTest}
      results={
        <>
          {result === undefined ? null : <TestResults result={result} />}
          {items.map((source) => (
            <SourceLine
              key={`${source.kind} ${source.name} ${source.isUsed}`}
              source={source}
              disconnect={isClosed || isTesting || isOpening ? undefined : disconnect}
            />
          ))}
        </>
      }
    >
      <Form className="flex flex-col gap-3" submit={() => save.mutate()}>
        <div className="grid gap-3 sm:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          {fields.map(({ name, isOptional = false, isSecret = false, hint, placeholder = '', isWide = false }) => (
            <div key={name} className={isWide ? 'sm:col-span-2' : ''}>
              <Field
                label={texts.field[name]}
                hint={hint === undefined ? undefined : texts.hint[hint]}
                placeholder={placeholder}
                type={isSecret ? 'password' : 'text'}
                required={!isOptional}
                disabled={isClosed}
                autoComplete="off"
                spellCheck={false}
                value={values[name] ?? ''}
                onChange={(value) => {
                  setValues({ ...values, [name]: value })
                  save.reset()
                }}
                onFocus={() => setSecretTyped(isSecret)}
                onBlur={() => setSecretTyped(false)}
              />
            </div>
          ))}
        </div>
        <ErrorBanner error={error} isInText />
        <Button
          label={save.isPending ? texts.connecting : texts.connect}
          type="submit"
          className="self-start"
          disabled={!canTest || save.isPending}
        />
      </Form>
    </Step>
  )
}

/** The state of a step while nothing is tested. */
function stateOf(items: readonly Source[], result: Tried | undefined, error: Error | null): State {
  const used = items.filter(({ isUsed }) => isUsed)
  const isBroken = used.length > 0 && used.every(({ problem }) => problem !== undefined)
  if (error !== null || (result === undefined ? isBroken : !result.ok)) return 'fails'
  if (used.length > 0) return 'connected'
  return result === undefined ? 'none' : 'works'
}
