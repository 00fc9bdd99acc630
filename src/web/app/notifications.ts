import { useEffect } from 'react'
import { COUNT } from '../ui/top-bar.tsx'

/** Shows the number of pending approvals in the title and icon of the window. */
export function useNotifications(waiting: number): void {
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${document.title.replace(COUNT, '')}`
    document.querySelector('link[rel=icon]')?.setAttribute('href', waiting > 0 ? '/icon-waiting.svg' : '/icon.svg')
  }, [waiting])
}
