import { useSyncExternalStore } from 'react'
import { storedTheme, onTheme, type Theme } from './theme.ts'

/** The theme that was chosen. Apart from what chooses it, which pages without React have, too. */
export function useTheme(): Theme {
  return useSyncExternalStore(onTheme, storedTheme)
}
