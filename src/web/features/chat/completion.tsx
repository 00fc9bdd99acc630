import { useEffect, useId, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { flushSync } from 'react-dom'

/** What can be put in at the place of the caret. */
export interface Suggestion {
  readonly id: string
  readonly label: string
  readonly hint: string
  /** What takes the place of the word that was begun; nothing where `run` does it all. */
  readonly text: string
  readonly run?: () => void
}

/** A word that begins with @, or at the start of the question with /, up to the caret. */
const BEGUN = /(?:(?<=^|\s)@|^\/)[\w-]*$/

interface Completing {
  readonly text: string
  readonly setText: (text: string) => void
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly offersFor: (sign: '@' | '/') => readonly Suggestion[]
}

/** Completion of agents and commands, by the keyboard alone, too: arrows choose, Enter and Tab take, Escape closes. */
export function useCompletion({ text, setText, field, offersFor }: Completing) {
  const list = useId()
  const [caret, setCaret] = useState(0)
  const [active, setActive] = useState(0)
  const [closed, setClosed] = useState<string | undefined>()
  const [word] = BEGUN.exec(text.slice(0, caret)) ?? []
  const prefix = word?.slice(1).toLowerCase() ?? ''
  const isOpen = word !== undefined && closed !== text
  const offers = !isOpen
    ? []
    : offersFor(word[0] as '@' | '/').filter(
        ({ id, label }) => id.toLowerCase().startsWith(prefix) || label.toLowerCase().startsWith(prefix),
      )
  const at = Math.min(active, offers.length - 1)
  const take = (offer: Suggestion): void => {
    const start = caret - word!.length
    const end = start + offer.text.length
    // Set the caret synchronously: set later, it would jump back before newly typed text.
    flushSync(() => {
      setText(`${text.slice(0, start)}${offer.text}${text.slice(caret)}`)
      setCaret(end)
      setActive(0)
    })
    field.current?.focus()
    field.current?.setSelectionRange(end, end)
    offer.run?.()
  }
  /** Whether the key was for the list. */
  const press = (event: KeyboardEvent): boolean => {
    if (offers.length === 0 || event.nativeEvent.isComposing) return false
    if (event.key === 'ArrowDown') setActive((at + 1) % offers.length)
    else if (event.key === 'ArrowUp') setActive((at - 1 + offers.length) % offers.length)
    else if (event.key === 'Enter' || event.key === 'Tab') take(offers[at]!)
    else if (event.key === 'Escape') setClosed(text)
    else return false
    event.preventDefault()
    return true
  }
  const attributes =
    offers.length === 0
      ? ({ 'aria-autocomplete': 'list' } as const)
      : ({
          'aria-autocomplete': 'list',
          'aria-controls': list,
          'aria-activedescendant': `${list}-${at}`,
        } as const)
  return { offers, at, list, press, take, setCaret, attributes }
}

export function OfferList({
  label,
  completion: { offers, at, list, take },
}: {
  label: string
  completion: ReturnType<typeof useCompletion>
}) {
  const box = useRef<HTMLUListElement>(null)
  // Keep the selected item in view.
  useEffect(() => box.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }), [at])
  if (offers.length === 0) return null
  return (
    <ul
      ref={box}
      id={list}
      role="listbox"
      tabIndex={0}
      aria-label={label}
      className="menu absolute inset-x-0 bottom-full z-10 mb-2 max-h-48 overflow-y-auto"
    >
      {offers.map((offer, place) => (
        <li
          key={offer.id}
          id={`${list}-${place}`}
          role="option"
          aria-selected={place === at}
          className={`flex min-h-9 cursor-pointer items-baseline gap-2 rounded-md px-2 py-1.5 ${place === at ? 'bg-surface-2' : ''}`}
          onMouseDown={(event) => {
            // The caret stays where it is.
            event.preventDefault()
            take(offer)
          }}
        >
          <b className="flex-none font-medium">{offer.label}</b>
          <span className="cut text-12 text-text-2">{offer.hint}</span>
        </li>
      ))}
    </ul>
  )
}
