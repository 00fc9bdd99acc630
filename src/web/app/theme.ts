export type Theme = 'light' | 'dark' | 'system'

/** Same key as in `theme.js`, which applies the theme before the first paint. */
const KEY = 'tutti.theme'

export function storedTheme(): Theme {
  const stored = localStorage.getItem(KEY)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

const listeners = new Set<() => void>()

/**
 * @param listener is called when the theme changes, also from another tab
 * @returns a function that removes the listener
 */
export function onTheme(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function setTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, theme)
  const isDark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light'
  for (const listener of listeners) listener()
}
