import type { ReactNode } from 'react'

/** Length in characters from which a text may need to scroll, also by keyboard. */
const LONG = 500

/** Words of the user, and what belongs to them. A long text scrolls within its box, so that the answer stays in view. */
export function UserText({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className="group relative ml-auto flex max-w-[85%] flex-col items-end gap-1.5">
      <p
        className="max-h-[50dvh] overflow-y-auto rounded-2xl rounded-br-md bg-surface-3 px-4 py-2.5 text-15 whitespace-pre-wrap wrap-anywhere"
        {...(text.length > LONG ? { tabIndex: 0 } : {})}
      >
        {text}
      </p>
      {children}
    </div>
  )
}
