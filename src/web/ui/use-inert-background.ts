import { useEffect, type RefObject } from 'react'

/** While something covers the page, what lies behind it takes neither focus nor keys. */
export function useInertBackground(front: RefObject<HTMLElement | null>, isOn: boolean): void {
  useEffect(() => {
    if (!isOn || front.current === null) return
    const behind: Element[] = []
    for (let at: Element = front.current; at.parentElement !== null && at !== document.body; at = at.parentElement) {
      for (const other of at.parentElement.children) {
        if (other === at || other.tagName === 'SCRIPT' || other.hasAttribute('inert')) continue
        other.setAttribute('inert', '')
        behind.push(other)
      }
    }
    if (!front.current.contains(document.activeElement)) front.current.focus()
    return () => {
      for (const other of behind) other.removeAttribute('inert')
    }
  }, [front, isOn])
}
