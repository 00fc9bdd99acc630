import { useEffect, useRef, type RefObject } from 'react'

/** Whether a key is meant for something that is typed into, chosen from or in front of the page. */
function isElsewhere({ target, metaKey, ctrlKey, altKey, defaultPrevented }: KeyboardEvent): boolean {
  if (defaultPrevented) return true
  if (metaKey || ctrlKey || altKey || document.querySelector('dialog[open]') !== null) return true
  return (
    target instanceof Element && target.closest('input:not([type=checkbox]), textarea, select, [role=menu]') !== null
  )
}

/**
 * Handles keys wherever the focused element does not use them.
 * @param keys by name, in lower case
 */
export function useKeys(keys: Readonly<Record<string, (event: KeyboardEvent) => void>>): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const act = isElsewhere(event) ? undefined : latest.current[event.key.toLowerCase()]
      if (act === undefined) return
      event.preventDefault()
      act(event)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

/**
 * J and K move the focus between elements with `data-move` in a list, X ticks the checkbox.
 * @returns a ref for the list element
 */
export function useMoves<T extends HTMLElement = HTMLUListElement>(): RefObject<T | null> {
  const list = useRef<T>(null)
  const entries = (): HTMLElement[] => [...(list.current?.querySelectorAll<HTMLElement>('[data-move]') ?? [])]
  const move = (by: number): void => {
    const all = entries()
    const at = all.indexOf(document.activeElement as HTMLElement)
    all[Math.min(Math.max(at + by, 0), all.length - 1)]?.focus()
  }
  const tick = (): void => {
    const box = document.activeElement?.closest('tr, li')?.querySelector<HTMLInputElement>('input[type=checkbox]')
    if (list.current?.contains(box ?? null) === true) box?.click()
  }
  useKeys({ j: () => move(1), k: () => move(-1), x: tick })
  return list
}
