import { createContext, useContext, type ReactNode } from 'react'

/** Puts a question into the field; undefined where the questions of a list are not the product's own. */
export const OfferContext = createContext<((question: string) => void) | undefined>(undefined)

/** A line of a list. A question that the product offers can be clicked. */
export function OfferedQuestion({ text, children }: { text: string; children: ReactNode }) {
  const offer = useContext(OfferContext)
  const question = text.trim()
  if (offer === undefined || !question.endsWith('?')) return children
  return (
    <button
      type="button"
      className="max-w-[calc(100%-1.5rem)] text-left align-top text-accent-text hover:underline"
      onClick={() => offer(question)}
    >
      {children}
    </button>
  )
}
