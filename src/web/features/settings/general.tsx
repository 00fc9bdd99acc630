import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { useChange } from '../../app/data.ts'
import { setWantsNotifications, wantsNotifications } from '../../app/notifications.ts'
import { useSession } from '../../app/session.ts'
import { setTheme, storedTheme, type Theme } from '../../app/theme.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Checkbox, Choice, Field, Section } from '../../ui/field.tsx'
import { Cut } from '../../ui/list.tsx'
import { Message } from '../../ui/states.tsx'
import { MutationForm, useFields } from '../../ui/form.tsx'
import type { Numbers } from '../../locales/formats.ts'
import { LANGUAGES, useWords } from '../../locales/words.tsx'

/** Profile, appearance, language and notifications of the user. */
export function General() {
  const { words, language, setLanguage, numbers, setNumberFormat } = useWords()
  const [theme, chooseTheme] = useState(storedTheme)
  const session = useSession()
  const person = session?.person
  return (
    <>
      {session?.caller?.kind === 'demo' ? <FirstAccount /> : null}
      {person === undefined ? null : (
        <Section title={words.settings.profile}>
          <div className="flex items-center gap-3 p-4">
            <Avatar name={person.displayName} />
            <div className="min-w-0 text-13">
              <p className="cut font-medium">{person.displayName}</p>
              <Cut text={person.username} className="block text-text-2" />
            </div>
            <span className="badge tone-accent ml-auto">{words.role[person.role]}</span>
          </div>
        </Section>
      )}
      <Section title={words.settings.looks}>
        <div className="grid gap-4 p-4 sm:grid-cols-2">
          <Choice<Theme>
            label={words.nav.theme.label}
            value={theme}
            options={{ light: words.nav.theme.light, dark: words.nav.theme.dark, system: words.nav.theme.system }}
            onChange={(chosen) => {
              setTheme(chosen)
              chooseTheme(chosen)
            }}
          />
          <Choice label={words.settings.language} value={language} options={LANGUAGES} onChange={setLanguage} />
          <Choice<Numbers>
            label={words.settings.numbers}
            value={numbers}
            options={{
              '': words.settings.numbersAsLanguage,
              comma: '1,234.5',
              point: '1.234,5',
              space: '1\u202F234,5',
              apostrophe: '1’234.5',
            }}
            onChange={setNumberFormat}
          />
        </div>
      </Section>
      <Notifications />
    </>
  )
}

/** Browser notifications about pending approvals. */
function Notifications() {
  const { words } = useWords()
  const [isOn, setOn] = useState(wantsNotifications)
  const [isBlocked, setBlocked] = useState(false)
  const change = async (): Promise<void> => {
    setBlocked(!(await setWantsNotifications(!isOn)))
    setOn(wantsNotifications())
  }
  return (
    <Section title={words.news.title} lead={words.news.lead}>
      <Checkbox
        label={words.news.label}
        checked={isOn}
        onChange={() => void change()}
        className="min-h-11 px-4 py-2.5"
      />
      <Message tone="bad" text={isBlocked ? words.news.refused : undefined} className="px-4 pb-3" />
    </Section>
  )
}

/** Creates the first account, which is an admin. Shown while no accounts exist. */
function FirstAccount() {
  const { words } = useWords()
  const client = useQueryClient()
  const { values, field } = useFields({ username: '', password: '' })
  const create = useChange(async () => {
    await api.post('/session/register', values)
    await client.resetQueries()
  })
  return (
    <Section title={words.settings.firstAccount} lead={words.settings.firstAccountLead}>
      <MutationForm mutation={create} action={words.session.register}>
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label={words.session.name} required autoComplete="username" {...field('username')} />
          <Field
            label={words.session.password}
            required
            type="password"
            autoComplete="new-password"
            {...field('password')}
          />
        </div>
        <p className="text-12 text-text-2">{words.settings.firstAccountHint}</p>
      </MutationForm>
    </Section>
  )
}
