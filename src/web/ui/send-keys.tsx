import { useWords } from '../locales/words.tsx'

/** What the key is called that shortcuts are pressed with, on this machine. */
export function useControl(): string {
  const { words } = useWords()
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : words.app.control
}

/** The keys that send the text; not shown on devices without a keyboard. */
export function SendKeys() {
  return <span className="kbd pointer-coarse:hidden">{useControl()} ↵</span>
}
