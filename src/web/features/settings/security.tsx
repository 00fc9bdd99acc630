import { useState } from 'react'
import { api, ApiError, type Items } from '../../../client/api.ts'
import { useChange, useGet } from '../../app/data.ts'
import { useSession } from '../../app/session.ts'
import { Copyable } from '../../ui/copy-button.tsx'
import { Field, Section } from '../../ui/field.tsx'
import { lazyComponent } from '../../ui/lazy.tsx'
import { Fetched } from '../../ui/page.tsx'
import { Trouble } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { CodeField } from './code-field.tsx'
import { OwnData } from './own-data.tsx'

const QrCode = lazyComponent(() => import('./qr-code.tsx'), <span className="skeleton size-45" />)

/** Password, second factor, and where one is signed in. */
export function Security() {
  const { words } = useWords()
  const isOfProvider = useSession()?.person?.hasPassword === false
  return (
    <>
      {isOfProvider ? (
        <Section title={words.session.password}>
          <p className="p-4 text-13 text-text-2">{words.settings.ofProvider}</p>
        </Section>
      ) : (
        <>
          <Password />
          <SecondFactor />
        </>
      )}
      <Sessions />
      <OwnData />
    </>
  )
}

function Password() {
  const { words } = useWords()
  const has = useSession()?.person?.hasSecondFactor === true
  const [given, setGiven] = useState({ before: '', after: '', code: '' })
  const change = useChange(async () => {
    const { code, ...passwords } = given
    await api.put('/session/password', has ? { ...passwords, code } : passwords)
    setGiven({ before: '', after: '', code: '' })
  }, '/session')
  return (
    <Section title={words.session.password} lead={words.settings.passwordLead}>
      <form
        className="flex flex-col gap-3 p-4"
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate()
        }}
      >
        <div className="grid gap-3 sm:grid-cols-2">
          <Field
            label={words.settings.passwordNow}
            type="password"
            required
            autoComplete="current-password"
            value={given.before}
            say={(before) => setGiven({ ...given, before })}
          />
          <Field
            label={words.settings.passwordNew}
            type="password"
            required
            autoComplete="new-password"
            value={given.after}
            say={(after) => setGiven({ ...given, after })}
          />
          {has ? <CodeField value={given.code} say={(code) => setGiven({ ...given, code })} /> : null}
        </div>
        {change.error === null ? null : <Trouble error={change.error} />}
        {change.isSuccess ? (
          <p className="text-12 text-ok" role="status">
            {words.settings.passwordChanged}
          </p>
        ) : null}
        <button type="submit" className="btn self-start" disabled={change.isPending}>
          {words.settings.passwordChange}
        </button>
      </form>
    </Section>
  )
}

interface Secret {
  readonly secret: string
  readonly uri: string
}

/** Three steps: the password, the key for the app, the first code. To do without it: password and code. */
function SecondFactor() {
  const { words } = useWords()
  const has = useSession()?.person?.hasSecondFactor === true
  const [given, setGiven] = useState({ password: '', code: '' })
  const [secret, setSecret] = useState<Secret | undefined>()
  const step = useChange(async () => {
    const { password, code } = given
    if (has) await api.delete('/session/second-factor', { password, ...(code === '' ? {} : { code }) })
    else if (secret === undefined) {
      setSecret(await api.post<Secret>('/session/second-factor', { password }))
      return
    } else await api.post('/session/second-factor/confirm', { code })
    setSecret(undefined)
    setGiven({ password: '', code: '' })
  }, 'session')
  // A secret that no code confirmed counts for nothing.
  const giveUp = (): void => {
    step.reset()
    setSecret(undefined)
    setGiven({ password: '', code: '' })
  }
  return (
    <Section
      title={words.settings.secondFactor}
      lead={words.settings.secondFactorLead}
      actions={
        <span className={`badge ${has ? 'tone-ok' : ''}`}>{has ? words.settings.isOn : words.settings.isOff}</span>
      }
    >
      <form
        className="flex flex-col gap-3 p-4"
        onSubmit={(event) => {
          event.preventDefault()
          step.mutate()
        }}
      >
        {secret === undefined ? (
          <div className="sm:w-1/2 sm:pr-1.5">
            <Field
              label={words.session.password}
              type="password"
              required
              autoComplete="current-password"
              value={given.password}
              say={(password) => setGiven({ ...given, password })}
            />
          </div>
        ) : (
          <>
            <p className="text-13 text-text-2">{words.settings.secretHint}</p>
            <div className="flex flex-wrap items-center gap-4">
              <QrCode text={secret.uri} label={words.settings.qrCode} />
              <div className="flex min-w-60 flex-1 flex-col gap-2">
                <p className="text-13 text-text-2">{words.settings.secretByHand}</p>
                <Copyable text={secret.secret} display={secret.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')} />
                <a className="self-start text-12 text-accent-text underline" href={secret.uri}>
                  {words.settings.openApp}
                </a>
              </div>
            </div>
          </>
        )}
        {has || secret !== undefined ? (
          <div className="sm:w-1/2 sm:pr-1.5">
            <CodeField value={given.code} say={(code) => setGiven({ ...given, code })} />
          </div>
        ) : null}
        {step.error === null ? null : secret !== undefined && isRefused(step.error) ? (
          <p className="banner tone-bad" role="alert">
            {words.settings.wrongCode}
          </p>
        ) : (
          <Trouble error={step.error} isInText />
        )}
        <div className="flex flex-wrap gap-2">
          <button type="submit" className={`btn ${has ? 'btn-danger' : ''}`} disabled={step.isPending}>
            {has ? words.settings.turnOff : secret === undefined ? words.settings.turnOn : words.settings.confirm}
          </button>
          {secret === undefined ? null : (
            <button type="button" className="btn btn-ghost" onClick={giveUp}>
              {words.app.cancel}
            </button>
          )}
        </div>
      </form>
    </Section>
  )
}

function isRefused(error: Error): boolean {
  return error instanceof ApiError && error.code === 'NotSignedIn'
}

interface SignedIn {
  readonly sessionId: string
  readonly fromWhere: string
  readonly startedAt: string
  readonly lastUsedAt: string
  readonly isThis: boolean
}

function Sessions() {
  const { words, formats } = useWords()
  const end = useChange((id: string) => api.delete(`/session/all/${encodeURIComponent(id)}`), '/session')
  return (
    <Section title={words.settings.sessions}>
      {end.error === null ? null : <Trouble error={end.error} />}
      <Fetched query={useGet<Items<SignedIn>>('/session/all')} lines={2}>
        {({ items }) => (
          <ul>
            {items.map(({ sessionId, fromWhere, startedAt, lastUsedAt, isThis }) => (
              <li key={sessionId} className="line">
                <div className="min-w-0 flex-1">
                  <p className="cut font-medium" title={fromWhere}>
                    {browserOf(fromWhere)}
                  </p>
                  <p className="text-12 text-text-2">
                    {words.settings.since({ when: formats.date(Date.parse(startedAt)) })} ·{' '}
                    {words.settings.used({ when: formats.date(Date.parse(lastUsedAt)) })}
                  </p>
                </div>
                {isThis ? (
                  <span className="badge tone-ok">{words.settings.thisOne}</span>
                ) : (
                  <button
                    type="button"
                    className="btn btn-sm"
                    disabled={end.isPending}
                    onClick={() => end.mutate(sessionId)}
                  >
                    {words.nav.signOut}
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Fetched>
    </Section>
  )
}

/** The browser and system of what a browser says of itself; else all that it says. */
function browserOf(agent: string): string {
  const [browser] = /Firefox|Edg|OPR|Chrome|Safari|curl/.exec(agent) ?? []
  const [system] = /Windows|Android|iPhone|iPad|Mac OS X|Linux/.exec(agent) ?? []
  return browser === undefined
    ? agent || '–'
    : [browser === 'Edg' ? 'Edge' : browser, system].filter(Boolean).join(', ')
}
