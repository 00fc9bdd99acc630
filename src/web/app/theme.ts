export type Theme = 'light' | 'dark' | 'system'

/** Same key as in `theme.js`, which applies the theme before the first paint. */
const KEY = 'tutti.theme'

export function storedTheme(): Theme {
  const kept = localStorage.getItem(KEY)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

const listeners = new Set<() => void>()

/**
 * @param tell is called when the theme changes, also from another tab
 * @returns a function that removes the listener
 */
export function onTheme(tell: () => void): () => void {
  listeners.add(tell)
  return () => listeners.delete(tell)
}

export function setTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, theme)
  const isDark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light'
  for (const tell of listeners) tell()
}
