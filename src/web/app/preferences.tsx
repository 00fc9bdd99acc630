import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import { Settings2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { Avatar } from '../ui/avatar.tsx'
import { LANGUAGES, useWords, type Language } from '../locales/words.tsx'
import { useIsAdmin, useSession, useSignOut } from './session.ts'
import { setTheme, type Theme } from './theme.ts'
import { useTheme } from './use-theme.ts'

/** User menu: account, theme, language and sign-out. */
export function Preferences() {
  const { words, language, speak } = useWords()
  const theme = useTheme()
  // In front of a drawer is only what stands within it.
  const [drawer, setDrawer] = useState<HTMLElement | null>(null)
  const session = useSession()
  const isAdmin = useIsAdmin()
  const signOut = useSignOut()
  const name = session?.person?.displayName ?? session?.person?.username
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        className="nav mt-2 h-11! w-full flex-none"
        ref={(button) => setDrawer(button?.closest('dialog') ?? null)}
      >
        {session?.person === undefined ? (
          <Settings2 size={16} aria-hidden />
        ) : (
          <Avatar name={session.person.displayName} />
        )}
        <span className="min-w-0 text-left">
          <span className="cut block" title={name}>
            {name ?? words.settings.title}
          </span>
          {session?.person === undefined ? null : (
            <span className="block text-11 font-normal text-text-3">{words.role[session.person.role]}</span>
          )}
        </span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={drawer}>
        <DropdownMenu.Content className="menu" side="top" align="start" sideOffset={6} collisionPadding={8}>
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
          <DropdownMenu.Separator className="my-1 h-px bg-line" />
          <DropdownMenu.RadioGroup value={theme} onValueChange={(value) => setTheme(value as Theme)}>
            {(['light', 'dark', 'system'] as const).map((one) => (
              <Choice key={one} value={one} label={words.nav.theme[one]} />
            ))}
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Separator className="my-1 h-px bg-line" />
          <DropdownMenu.RadioGroup value={language} onValueChange={(value) => speak(value as Language)}>
            {Object.entries(LANGUAGES).map(([value, label]) => (
              <Choice key={value} value={value} label={label} />
            ))}
          </DropdownMenu.RadioGroup>
          {session?.caller?.kind === 'person' ? (
            <>
              <DropdownMenu.Separator className="my-1 h-px bg-line" />
              <DropdownMenu.Item onSelect={() => signOut.mutate()}>{words.nav.signOut}</DropdownMenu.Item>
            </>
          ) : null}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

function Choice({ value, label }: { value: string; label: string }) {
  return (
    <DropdownMenu.RadioItem value={value}>
      <span className="w-4">
        <DropdownMenu.ItemIndicator>✓</DropdownMenu.ItemIndicator>
      </span>
      {label}
    </DropdownMenu.RadioItem>
  )
}
