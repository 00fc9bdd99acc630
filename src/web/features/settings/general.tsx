import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Items } from '../../../client/api.ts'
import { useChange, useGet } from '../../app/data.ts'
import { setWantsNotifications, wantsNotifications } from '../../app/notifications.ts'
import { useSession } from '../../app/session.ts'
import { setTheme, type Theme } from '../../app/theme.ts'
import { useTheme } from '../../app/use-theme.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Choice, Field, Section } from '../../ui/field.tsx'
import { Limit, type Quota } from '../../ui/limit.tsx'
import { Fetched } from '../../ui/page.tsx'
import { Trouble } from '../../ui/states.tsx'
import type { Numbers } from '../../locales/formats.ts'
import { LANGUAGES, useWords } from '../../locales/words.tsx'

/** Who one is here, how the app looks and speaks, and how much one may use. */
export function General() {
  const { words, language, setLanguage: speak, numbers, setNumberFormat: writeNumbers } = useWords()
  const theme = useTheme()
  const session = useSession()
  const known = [session?.person?.username, session?.person?.email].filter(Boolean).join(' · ')
  return (
    <>
      {session?.caller?.kind === 'demo' ? <FirstAccount /> : null}
      {session?.person === undefined ? null : (
        <Section title={words.settings.profile}>
          <div className="flex items-center gap-3 p-4">
            <Avatar name={session.person.displayName} />
            <div className="min-w-0 text-13">
              <p className="cut font-medium">{session.person.displayName}</p>
              <p className="cut text-text-2" title={known}>
                {known}
              </p>
            </div>
            <span className="badge tone-accent ml-auto">{words.role[session.person.role]}</span>
          </div>
        </Section>
      )}
      <Section title={words.settings.looks}>
        <div className="grid gap-4 p-4 sm:grid-cols-2">
          <Choice<Theme>
            label={words.nav.theme.label}
            value={theme}
            options={{ light: words.nav.theme.light, dark: words.nav.theme.dark, system: words.nav.theme.system }}
            say={setTheme}
          />
          <Choice label={words.settings.language} value={language} options={LANGUAGES} say={speak} />
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
            say={writeNumbers}
          />
        </div>
      </Section>
      <News />
      <OwnLimits />
    </>
  )
}

/** Whether the browser tells of decisions that wait. */
function News() {
  const { words } = useWords()
  const [isOn, setOn] = useState(wantsNotifications)
  const [isRefused, setRefused] = useState(false)
  const change = async (): Promise<void> => {
    const isDone = await setWantsNotifications(!isOn)
    setRefused(!isDone)
    setOn(wantsNotifications())
  }
  return (
    <Section title={words.news.title} lead={words.news.lead}>
      <label className="flex min-h-11 items-center gap-3 px-4 py-2.5 text-13">
        <input type="checkbox" checked={isOn} onChange={() => void change()} />
        {words.news.label}
      </label>
      {isRefused ? (
        <p className="px-4 pb-3 text-12 text-bad" role="alert">
          {words.news.refused}
        </p>
      ) : null}
    </Section>
  )
}

function OwnLimits() {
  const { words } = useWords()
  return (
    <Section title={words.settings.limits} lead={words.settings.limitsLead}>
      <Fetched query={useGet<Items<Quota>>('/limits')} lines={2}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="px-4 py-5 text-13 text-text-2">{words.settings.noLimits}</p>
          ) : (
            <ul>
              {items.map((quota) => (
                <Limit key={`${quota.to} ${quota.measure} ${quota.period}`} quota={quota} />
              ))}
            </ul>
          )
        }
      </Fetched>
    </Section>
  )
}

/** Creates the first account, which is an admin. Shown while no accounts exist. */
function FirstAccount() {
  const { words } = useWords()
  const client = useQueryClient()
  const [given, setGiven] = useState({ username: '', password: '' })
  const make = useChange(async () => {
    await api.post('/session/register', given)
    await client.resetQueries()
  })
  return (
    <Section title={words.settings.firstAccount} lead={words.settings.firstAccountLead}>
      <form
        className="flex flex-col gap-3 p-4"
        onSubmit={(event) => {
          event.preventDefault()
          make.mutate()
        }}
      >
        <div className="grid gap-3 sm:grid-cols-2">
          <Field
            label={words.session.name}
            required
            autoComplete="username"
            value={given.username}
            say={(username) => setGiven({ ...given, username })}
          />
          <Field
            label={words.session.password}
            required
            type="password"
            autoComplete="new-password"
            value={given.password}
            say={(password) => setGiven({ ...given, password })}
          />
        </div>
        <p className="text-12 text-text-2">{words.settings.firstAccountHint}</p>
        {make.error === null ? null : <Trouble error={make.error} />}
        <button type="submit" className="btn btn-primary self-start" disabled={make.isPending}>
          {words.session.register}
        </button>
      </form>
    </Section>
  )
}
