import { Suspense, useState } from 'react'
import { api, ApiError } from '../../../client/api.ts'
import { useChange, type Answer, useEndpoint } from '../../app/data.ts'
import { useSession } from '../../app/session.ts'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copy-button.tsx'
import { Field, Section } from '../../ui/field.tsx'
import { lazyComponent } from '../../ui/lazy.tsx'
import { Hint, List, Row } from '../../ui/list.tsx'
import { Banner, Trouble } from '../../ui/states.tsx'
import { MutationForm, useFields } from '../../ui/form.tsx'
import { useWords } from '../../locales/words.tsx'
import { CodeField, PasswordField } from './credential-fields.tsx'
import { OwnData } from './own-data.tsx'

const QrCode = lazyComponent(() => import('./qr-code.tsx'))

/** Password, second factor, sessions, and the user's own data. */
export function Security() {
  const { words } = useWords()
  const isSingleSignOn = useSession()?.person?.hasPassword === false
  return (
    <>
      {isSingleSignOn ? (
        <Section title={words.session.password}>
          <Hint>{words.settings.ofProvider}</Hint>
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
  const hasCode = useSession()?.person?.hasSecondFactor === true
  const { values, field, reset } = useFields({ before: '', after: '', code: '' })
  const change = useChange(async () => {
    const { code, ...passwords } = values
    await api.put('/session/password', hasCode ? { ...passwords, code } : passwords)
    reset()
  }, '/session')
  return (
    <Section title={words.session.password} lead={words.settings.passwordLead}>
      <MutationForm
        mutation={change}
        action={words.settings.passwordChange}
        look=""
        success={words.settings.passwordChanged}
      >
        <div className="grid gap-3 sm:grid-cols-2">
          <PasswordField label={words.settings.passwordNow} {...field('before')} />
          <Field
            label={words.settings.passwordNew}
            type="password"
            required
            autoComplete="new-password"
            {...field('after')}
          />
          {hasCode ? <CodeField {...field('code')} /> : null}
        </div>
      </MutationForm>
    </Section>
  )
}

type Secret = Answer<'POST /session/second-factor'>

/** To turn it on: the password, the key for the app, the first code. To turn it off: password and code. */
function SecondFactor() {
  const { words } = useWords()
  const isOn = useSession()?.person?.hasSecondFactor === true
  const { values, field, reset } = useFields({ password: '', code: '' })
  const [secret, setSecret] = useState<Secret>()
  // A secret without a confirmed code has no effect.
  const restart = (): void => {
    setSecret(undefined)
    reset()
  }
  const step = useChange(async () => {
    const { password, code } = values
    if (!isOn && secret === undefined) {
      return setSecret(await api.post<Secret>('/session/second-factor', { password }))
    }
    await (isOn
      ? api.delete('/session/second-factor', { password, ...(code === '' ? {} : { code }) })
      : api.post('/session/second-factor/confirm', { code }))
    restart()
  }, 'session')
  const action = secret === undefined ? words.settings.turnOn : words.settings.confirm
  const isWrongCode = secret !== undefined && isRejected(step.error)
  return (
    <Section
      title={words.settings.secondFactor}
      lead={words.settings.secondFactorLead}
      actions={
        <span className={`badge ${isOn ? 'tone-ok' : ''}`}>{isOn ? words.settings.isOn : words.settings.isOff}</span>
      }
    >
      <MutationForm
        mutation={isWrongCode ? { ...step, error: null } : step}
        action={isOn ? words.settings.turnOff : action}
        look={isOn ? 'btn-danger' : ''}
        actions={
          secret === undefined ? null : (
            <Button
              label={words.app.cancel}
              className="btn-ghost"
              onClick={() => {
                step.reset()
                restart()
              }}
            />
          )
        }
      >
        {secret === undefined ? null : <SecretSteps secret={secret} />}
        <div className="flex flex-col gap-3 sm:w-1/2 sm:pr-1.5">
          {secret === undefined ? <PasswordField {...field('password')} /> : null}
          {isOn || secret !== undefined ? <CodeField {...field('code')} /> : null}
        </div>
        {isWrongCode ? <Banner tone="bad" role="alert" text={words.settings.wrongCode} /> : null}
      </MutationForm>
    </Section>
  )
}

/** How to add the secret to an authenticator app. */
function SecretSteps({ secret: { secret, uri } }: { secret: Secret }) {
  const { words } = useWords()
  return (
    <>
      <p className="text-13 text-text-2">{words.settings.secretHint}</p>
      <div className="flex flex-wrap items-center gap-4">
        <Suspense fallback={<span className="skeleton size-45" />}>
          <QrCode text={uri} label={words.settings.qrCode} />
        </Suspense>
        <div className="flex min-w-60 flex-1 flex-col gap-2">
          <p className="text-13 text-text-2">{words.settings.secretByHand}</p>
          <Copyable text={secret} display={secret.replaceAll(/(.{4})(?=.)/g, '$1 ')} />
          <a className="self-start text-12 text-accent-text underline" href={uri}>
            {words.settings.openApp}
          </a>
        </div>
      </div>
    </>
  )
}

function isRejected(error: Error | null): boolean {
  return error instanceof ApiError && error.code === 'NotSignedIn'
}

function Sessions() {
  const { words, formats } = useWords()
  const end = useChange((id: string) => api.delete(`/session/all/${encodeURIComponent(id)}`), '/session')
  return (
    <Section title={words.settings.sessions}>
      <Trouble error={end.error} />
      <List query={useEndpoint('/session/all')} lines={2} empty={null}>
        {({ sessionId, fromWhere, startedAt, lastUsedAt, isThis }) => {
          const [since, used] = [formats.date(startedAt), formats.date(lastUsedAt)]
          return (
            <Row
              key={sessionId}
              title={describeBrowser(fromWhere)}
              tooltip={fromWhere}
              detail={`${words.settings.since({ when: since })} · ${words.settings.used({ when: used })}`}
            >
              {isThis ? (
                <span className="badge tone-ok">{words.settings.thisOne}</span>
              ) : (
                <Button
                  label={words.nav.signOut}
                  className="btn-sm"
                  disabled={end.isPending}
                  onClick={() => end.mutate(sessionId)}
                />
              )}
            </Row>
          )
        }}
      </List>
    </Section>
  )
}

/** The browser and system in a `User-Agent` header, or the whole header if they are unknown. */
function describeBrowser(agent: string): string {
  const [browser] = /Firefox|Edg|OPR|Chrome|Safari|curl/.exec(agent) ?? []
  const [system] = /Windows|Android|iPhone|iPad|Mac OS X|Linux/.exec(agent) ?? []
  return browser === undefined
    ? agent || '–'
    : [browser === 'Edg' ? 'Edge' : browser, system].filter(Boolean).join(', ')
}
