import { api } from '../../../client/api.ts'
import { useChange, useEndpoint } from '../../app/data.ts'
import { useSession } from '../../app/session.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Section } from '../../ui/field.tsx'
import { Hint, List, Row } from '../../ui/list.tsx'
import { ErrorBanner } from '../../ui/states.tsx'
import { MutationForm, useFields } from '../../ui/form.tsx'
import { useWords } from '../../locales/words.tsx'
import { PasswordField } from './password-field.tsx'
import { OwnData } from './own-data.tsx'

/** Password, sessions, and the user's own data. */
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
        <Password />
      )}
      <Sessions />
      <OwnData />
    </>
  )
}

function Password() {
  const { words } = useWords()
  const { values, field, reset } = useFields({ before: '', after: '' })
  const change = useChange(async () => {
    await api.put('/session/password', values)
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
        </div>
      </MutationForm>
    </Section>
  )
}

function Sessions() {
  const { words, formats } = useWords()
  const end = useChange((id: string) => api.delete(`/session/all/${encodeURIComponent(id)}`), '/session')
  return (
    <Section title={words.settings.sessions}>
      <ErrorBanner error={end.error} />
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
