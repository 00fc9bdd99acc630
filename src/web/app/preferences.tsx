import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import { Settings2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { Avatar } from '../ui/avatar.tsx'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { LANGUAGES, useWords, type Language } from '../locales/words.tsx'
import { useIsAdmin, useSession, useSignOut } from './session.ts'
import { setTheme, type Theme } from './theme.ts'
import { useTheme } from './use-theme.ts'

/** User menu: account, theme, language and sign-out. */
export function Preferences() {
  const { words, language, setLanguage } = useWords()
  const theme = useTheme()
  // In front of a drawer is only what stands within it.
  const [drawer, setDrawer] = useState<HTMLElement | null>(null)
  const session = useSession()
  const isAdmin = useIsAdmin()
  const signOut = useSignOut()
  const person = session?.person
  const name = person?.displayName ?? person?.username
  const button = (
    <button
      type="button"
      className="nav mt-2 h-11! w-full flex-none"
      ref={(element) => setDrawer(element?.closest('dialog') ?? null)}
    >
      {person === undefined ? <Settings2 size={16} aria-hidden /> : <Avatar name={person.displayName} />}
      <span className="min-w-0 text-left">
        <span className="cut block" title={name}>
          {name ?? words.settings.title}
        </span>
        {person === undefined ? null : (
          <span className="block text-11 font-normal text-text-3">{words.role[person.role]}</span>
        )}
      </span>
    </button>
  )
  return (
    <Menu button={button} container={drawer} side="top">
      <DropdownMenu.Item asChild>
        <Link to="/settings">{words.settings.title}</Link>
      </DropdownMenu.Item>
      {isAdmin ? (
        <DropdownMenu.Item asChild>
          <Link to="/setup">{words.reading.connectSources}</Link>
        </DropdownMenu.Item>
      ) : null}
      <DropdownMenu.Item asChild>
        <a href="/guide">{words.palette.guide}</a>
      </DropdownMenu.Item>
      <MenuSeparator />
      <DropdownMenu.RadioGroup value={theme} onValueChange={(value) => setTheme(value as Theme)}>
        {(['light', 'dark', 'system'] as const).map((one) => (
          <MenuChoice key={one} value={one} label={words.nav.theme[one]} />
        ))}
      </DropdownMenu.RadioGroup>
      <MenuSeparator />
      <DropdownMenu.RadioGroup value={language} onValueChange={(value) => setLanguage(value as Language)}>
        {Object.entries(LANGUAGES).map(([value, label]) => (
          <MenuChoice key={value} value={value} label={label} />
        ))}
      </DropdownMenu.RadioGroup>
      {session?.caller?.kind === 'person' ? (
        <>
          <MenuSeparator />
          <MenuItem label={words.nav.signOut} onSelect={() => signOut.mutate()} />
        </>
      ) : null}
    </Menu>
  )
}
