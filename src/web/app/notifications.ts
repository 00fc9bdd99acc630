import { useEffect, useRef } from 'react'
import { useWords } from '../locales/words.tsx'
import { COUNT } from '../ui/top-bar.tsx'

const KEY = 'tutti.news'

/** Returns whether the user enabled browser notifications and the browser permits them. */
export function wantsNotifications(): boolean {
  return localStorage.getItem(KEY) === 'yes' && 'Notification' in globalThis && Notification.permission === 'granted'
}

/** @returns false if the browser does not support or permit notifications */
export async function setWantsNotifications(isWanted: boolean): Promise<boolean> {
  if (!isWanted) {
    localStorage.removeItem(KEY)
    return true
  }
  if (!('Notification' in globalThis) || (await Notification.requestPermission()) !== 'granted') return false
  localStorage.setItem(KEY, 'yes')
  return true
}

/**
 * Shows the number of pending approvals in the title and icon of the window, and as a browser notification if it
 * increases while the window is hidden.
 */
export function useNotifications(waiting: number): void {
  const { words } = useWords()
  const before = useRef(waiting)
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${document.title.replace(COUNT, '')}`
    document.querySelector('link[rel=icon]')?.setAttribute('href', waiting > 0 ? '/icon-waiting.svg' : '/icon.svg')
    if (waiting > before.current && document.hidden && wantsNotifications()) {
      const shownNotification = new Notification(words.news.waits({ n: waiting }), {
        tag: 'approvals',
        icon: '/icon.svg',
      })
      shownNotification.addEventListener('click', () => {
        focus()
        shownNotification.close()
      })
    }
    before.current = waiting
  }, [waiting, words])
}
