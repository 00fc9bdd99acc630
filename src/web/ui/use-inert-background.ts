import { useEffect, type RefObject } from 'react'

/** While something covers the page, what lies behind it takes neither focus nor keys. */
export function useInertBackground(front: RefObject<HTMLElement | null>, isOn: boolean): void {
  useEffect(() => {
    if (!isOn || front.current === null) return
    const background: Element[] = []
    for (let at: Element = front.current; at.parentElement !== null && at !== document.body; at = at.parentElement) {
      for (const sibling of at.parentElement.children) {
        if (sibling === at || sibling.tagName === 'SCRIPT' || sibling.hasAttribute('inert')) continue
        sibling.setAttribute('inert', '')
        background.push(sibling)
      }
    }
    if (!front.current.contains(document.activeElement)) front.current.focus()
    return () => {
      for (const sibling of background) sibling.removeAttribute('inert')
    }
  }, [front, isOn])
}
