import { useEffect, useRef } from 'react'
import { useWords } from '../locales/words.tsx'
import { COUNT } from '../ui/top-bar.tsx'

const KEY = 'tutti.news'

/** Whether the person wants to be told by the browser, and it may. */
export function wantsNews(): boolean {
  return localStorage.getItem(KEY) === 'yes' && 'Notification' in globalThis && Notification.permission === 'granted'
}

/** @returns whether it is as the person wants it: the browser may say no */
export async function wantNews(isWanted: boolean): Promise<boolean> {
  if (!isWanted) {
    localStorage.removeItem(KEY)
    return true
  }
  if (!('Notification' in globalThis) || (await Notification.requestPermission()) !== 'granted') return false
  localStorage.setItem(KEY, 'yes')
  return true
}

/** Tells how many decisions wait: in the title and icon of the window, and by the browser when there are more and nobody looks. */
export function useNews(waiting: number): void {
  const { words } = useWords()
  const before = useRef(waiting)
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${document.title.replace(COUNT, '')}`
    document.querySelector('link[rel=icon]')?.setAttribute('href', waiting > 0 ? '/icon-waiting.svg' : '/icon.svg')
    if (waiting > before.current && document.hidden && wantsNews()) {
      const told = new Notification(words.news.waits({ n: waiting }), { tag: 'approvals', icon: '/icon.svg' })
      told.addEventListener('click', () => {
        focus()
        told.close()
      })
    }
    before.current = waiting
  }, [waiting, words])
}
