import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { useChange, useEndpoint } from '../../app/data.ts'
import { Copyable } from '../../ui/copy-button.tsx'
import { Choice, Field, Section } from '../../ui/field.tsx'
import { List, Row } from '../../ui/list.tsx'
import { MutationForm } from '../../ui/form.tsx'
import { Empty, ErrorBanner } from '../../ui/states.tsx'
import { ConfirmButton } from '../../ui/confirm-dialog.tsx'
import { useWords } from '../../locales/words.tsx'

const SCOPES = ['read', 'ask', 'decide', 'documents', 'admin'] as const
type Scope = (typeof SCOPES)[number]

const DAY_MS = 86_400_000

/** The user's API keys. A key is shown once, when it is created. */
export function Keys() {
  const { words, formats } = useWords()
  const revoke = useChange((id: string) => api.delete(`/keys/${encodeURIComponent(id)}`), '/keys')
  return (
    <>
      <NewKey />
      <Section title={words.settings.keys}>
        <ErrorBanner error={revoke.error} />
        <List
          query={useEndpoint('/keys')}
          lines={2}
          empty={<Empty icon={KeyRound} title={words.settings.noKeys} hint={words.settings.noKeysHint} />}
        >
          {({ keyId, name, beginsWith, scopes, expiresAt, lastUsedAt }) => (
            <Row
              key={keyId}
              title={
                <>
                  {name} <code className="mono text-text-3">{beginsWith}…</code>
                </>
              }
              detail={[
                scopes.map((scope) => words.scope[scope]).join(', '),
                expiresAt === undefined
                  ? words.settings.neverExpires
                  : words.settings.until({ when: formats.date(expiresAt) }),
                lastUsedAt === undefined
                  ? words.settings.neverUsed
                  : words.settings.used({ when: formats.date(lastUsedAt) }),
              ].join(' · ')}
            >
              <ConfirmButton
                label={words.settings.revoke}
                className="btn-danger btn-sm"
                consequences={words.settings.revokeSure({ name })}
                yes={() => revoke.mutate(keyId)}
              />
            </Row>
          )}
        </List>
      </Section>
    </>
  )
}

function NewKey() {
  const { words } = useWords()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<readonly Scope[]>(['read', 'ask'])
  const [days, setDays] = useState<'30' | '90' | '365' | ''>('90')
  const scopes = SCOPES.filter((scope) => chosen.includes(scope))
  const create = useChange(() => {
    const expiresAt = days === '' ? undefined : new Date(Date.now() + Number(days) * DAY_MS).toISOString()
    return api.post<{ key: string }>('/keys', { name, scopes, expiresAt })
  }, '/keys')
  return (
    <Section title={words.settings.newKey} lead={words.settings.newKeyLead}>
      <MutationForm mutation={create} action={words.settings.makeKey} disabled={scopes.length === 0}>
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label={words.settings.keyName} required maxLength={100} value={name} onChange={setName} />
          <Choice label={words.settings.expires} value={days} options={words.settings.days} onChange={setDays} />
        </div>
        <fieldset className="flex flex-wrap gap-2">
          <legend className="mb-1 text-12 font-medium">{words.settings.may}</legend>
          {SCOPES.map((scope) => {
            const isChosen = scopes.includes(scope)
            return (
              <button
                key={scope}
                type="button"
                className="chip"
                aria-pressed={isChosen}
                onClick={() => setChosen(isChosen ? scopes.filter((other) => other !== scope) : [...scopes, scope])}
              >
                {words.scope[scope]}
              </button>
            )
          })}
        </fieldset>
        <ul className="text-12 text-text-2">
          {scopes.map((scope) => (
            <li key={scope}>
              <b className="font-medium">{words.scope[scope]}</b>: {words.settings.scopeHint[scope]}
            </li>
          ))}
        </ul>
        {create.data === undefined ? null : (
          <div role="status" className="flex flex-col gap-1">
            <p className="text-12 text-warn">{words.settings.keyOnce}</p>
            <Copyable text={create.data.key} />
          </div>
        )}
      </MutationForm>
    </Section>
  )
}
