import { useEffect, useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { Dialog } from '../ui/dialog.tsx'
import { LoadingMark } from '../ui/states.tsx'
import { useWords } from '../locales/words.tsx'
import { lazyComponent } from '../ui/lazy.tsx'
import { Button } from '../ui/button.tsx'

const Palette = lazyComponent(() => import('./palette.tsx'), <LoadingMark />)

/** What can be opened from anywhere. */
export type ShortcutDialogs = 'palette' | 'help' | undefined

/**
 * Global shortcuts: Ctrl/⌘+K opens the palette, Ctrl/⌘+Shift+O a new chat, / focuses the composer, ? lists the
 * shortcuts. Pages define their own keys.
 */
export function useOpened(): readonly [ShortcutDialogs, (opened: ShortcutDialogs) => void] {
  const [opened, open] = useState<ShortcutDialogs>()
  const navigate = useNavigate()
  const shortcutOf = (event: KeyboardEvent): (() => void) | undefined => {
    const { target, shiftKey, altKey } = event
    const key = event.key.toLowerCase()
    const hasControl = event.metaKey || event.ctrlKey
    const isTyping =
      target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
    if (hasControl && key === 'k' && !shiftKey && !altKey)
      return () => open((now) => (now === 'palette' ? undefined : 'palette'))
    if (hasControl && key === 'o' && shiftKey) return () => void navigate({ to: '/' })
    if (hasControl || document.querySelector('dialog[open]') !== null) return undefined
    if (isTyping) return undefined
    if (key === '?') return () => open('help')
    if (key === '/') return () => document.querySelector<HTMLElement>('[data-composer]')?.focus()
    return undefined
  }
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const act = shortcutOf(event)
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [navigate])
  return [opened, open]
}

export function ShortcutDialogs({ opened, close }: { opened: ShortcutDialogs; close: () => void }) {
  if (opened === undefined) return null
  return opened === 'palette' ? <Palette close={close} /> : <Help close={close} />
}

function Help({ close }: { close: () => void }) {
  const { words } = useWords()
  return (
    <Dialog label={words.palette.help} close={close} className="dialog">
      <h2 className="border-b border-line px-5 py-4 text-16 font-semibold">{words.palette.help}</h2>
      <dl className="overflow-y-auto px-5 py-3 text-13">
        {Object.values(words.palette.keys).map(({ keys, action }) => (
          <div key={action} className="flex items-center gap-4 py-1.5">
            <dt className="flex w-32 flex-none gap-1">
              {keys.split(' ').map((key) => (
                <kbd key={key} className="kbd">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
      <footer className="flex items-center justify-between border-t border-line px-5 py-3">
        <a className="text-13 text-accent-text underline" href="/guide">
          {words.palette.guide}
        </a>
        <Button label={words.app.close} onClick={close} />
      </footer>
    </Dialog>
  )
}
