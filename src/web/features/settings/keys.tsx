import type { Schemas } from '../../../client/api-types.ts'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { api, type Items } from '../../../client/api.ts'
import { useChange, useGet } from '../../app/data.ts'
import { Copyable } from '../../ui/copy-button.tsx'
import { Choice, Field, Section } from '../../ui/field.tsx'
import { Fetched } from '../../ui/page.tsx'
import { Empty, Trouble } from '../../ui/states.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useWords } from '../../locales/words.tsx'

const SCOPES = ['read', 'ask', 'decide', 'documents', 'admin'] as const
type Scope = (typeof SCOPES)[number]

type Key = Schemas['ApiKey']

const DAY_MS = 86_400_000

/** One's own keys for programs; each is shown once, when it is made. */
export function Keys() {
  const { words, formats } = useWords()
  const keys = useGet<Items<Key>>('/keys')
  const [gone, setGone] = useState<Key | undefined>()
  const revoke = useChange((id: string) => api.delete(`/keys/${encodeURIComponent(id)}`), '/keys')
  const when = (at: string): string => formats.date(Date.parse(at))
  return (
    <>
      <NewKey />
      <Section title={words.settings.keys}>
        {revoke.error === null ? null : <Trouble error={revoke.error} />}
        <Fetched query={keys} lines={2}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty icon={KeyRound} title={words.settings.noKeys}>
                {words.settings.noKeysHint}
              </Empty>
            ) : (
              <ul>
                {items.map((key) => (
                  <li key={key.keyId} className="line">
                    <div className="min-w-0 flex-1">
                      <p className="cut font-medium">
                        {key.name} <code className="mono text-text-3">{key.beginsWith}…</code>
                      </p>
                      <p className="text-12 text-text-2">
                        {key.scopes.map((scope) => words.scope[scope]).join(', ')} ·{' '}
                        {key.expiresAt === undefined
                          ? words.settings.neverExpires
                          : words.settings.until({ when: when(key.expiresAt) })}{' '}
                        ·{' '}
                        {key.lastUsedAt === undefined
                          ? words.settings.neverUsed
                          : words.settings.used({ when: when(key.lastUsedAt) })}
                      </p>
                    </div>
                    <button type="button" className="btn btn-danger btn-sm" onClick={() => setGone(key)}>
                      {words.settings.revoke}
                    </button>
                  </li>
                ))}
              </ul>
            )
          }
        </Fetched>
      </Section>
      {gone === undefined ? null : (
        <ConfirmDialog
          action={words.settings.revoke}
          yes={() => revoke.mutate(gone.keyId)}
          close={() => setGone(undefined)}
        >
          {words.settings.revokeSure({ name: gone.name })}
        </ConfirmDialog>
      )}
    </>
  )
}

function NewKey() {
  const { words } = useWords()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly Scope[]>(['read', 'ask'])
  const [days, setDays] = useState<'30' | '90' | '365' | ''>('90')
  const make = useChange(
    () =>
      api.post<{ key: string }>('/keys', {
        name,
        scopes: SCOPES.filter((scope) => scopes.includes(scope)),
        ...(days === '' ? {} : { expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
      }),
    '/keys',
  )
  return (
    <Section title={words.settings.newKey} lead={words.settings.newKeyLead}>
      <form
        className="flex flex-col gap-3 p-4"
        onSubmit={(event) => {
          event.preventDefault()
          make.mutate()
        }}
      >
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label={words.settings.keyName} required maxLength={100} value={name} say={setName} />
          <Choice label={words.settings.expires} value={days} options={words.settings.days} say={setDays} />
        </div>
        <fieldset className="flex flex-wrap gap-2">
          <legend className="mb-1 text-12 font-medium">{words.settings.may}</legend>
          {SCOPES.map((scope) => (
            <button
              key={scope}
              type="button"
              className="chip"
              aria-pressed={scopes.includes(scope)}
              onClick={() =>
                setScopes(scopes.includes(scope) ? scopes.filter((one) => one !== scope) : [...scopes, scope])
              }
            >
              {words.scope[scope]}
            </button>
          ))}
        </fieldset>
        <ul className="text-12 text-text-2">
          {SCOPES.filter((scope) => scopes.includes(scope)).map((scope) => (
            <li key={scope}>
              <b className="font-medium">{words.scope[scope]}</b>: {words.settings.scopeHint[scope]}
            </li>
          ))}
        </ul>
        {make.error === null ? null : <Trouble error={make.error} />}
        {make.data === undefined ? null : (
          <div role="status" className="flex flex-col gap-1">
            <p className="text-12 text-warn">{words.settings.keyOnce}</p>
            <Copyable text={make.data.key} />
          </div>
        )}
        <button type="submit" className="btn btn-primary self-start" disabled={make.isPending || scopes.length === 0}>
          {words.settings.makeKey}
        </button>
      </form>
    </Section>
  )
}
