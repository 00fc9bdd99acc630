import { useWords } from '../locales/words.tsx'

/** What the key is called that shortcuts are pressed with, on this machine. */
export function useControl(): string {
  const { words } = useWords()
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : words.app.control
}

/** The keys that send what was written; not where there is no keyboard. */
export function SendKeys() {
  return <span className="kbd pointer-coarse:hidden">{useControl()} ↵</span>
}
