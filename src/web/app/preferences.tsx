import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import { Settings2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { Avatar } from '../ui/avatar.tsx'
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { useWords } from '../locales/words.tsx'
import { useIsAdmin, useSession, useSignOut } from './session.ts'

/** User menu: settings, guide and sign-out. */
export function Preferences() {
  const { words } = useWords()
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
      {session?.caller?.kind === 'person' ? (
        <>
          <MenuSeparator />
          <MenuItem label={words.nav.signOut} onSelect={() => signOut.mutate()} />
        </>
      ) : null}
    </Menu>
  )
}
