import { Check, Copy } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useWords } from '../locales/words.tsx'

/**
 * Copies a text to the clipboard and confirms it for a moment.
 * @param children label of the button; an icon if absent
 */
export function CopyButton({ text, label, children }: { text: string; label: string; children?: ReactNode }) {
  const { words } = useWords()
  const [isCopied, setCopied] = useState(false)
  const copy = (): void => {
    setCopied(true)
    setTimeout(() => setCopied(false), 1_500)
    // Without clipboard permission, the text can still be selected by hand.
    navigator.clipboard.writeText(text).catch(() => setCopied(false))
  }
  const copyLabel = isCopied ? words.answer.copied : label
  return (
    <button
      type="button"
      className={`btn btn-ghost btn-sm ${children === undefined ? 'btn-icon' : ''}`}
      {...(children === undefined ? { 'aria-label': copyLabel, title: copyLabel } : {})}
      onClick={copy}
    >
      {isCopied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
      {children === undefined ? null : isCopied ? words.answer.copied : children}
    </button>
  )
}

/** A text to take along, such as a key that is shown once. @param display how it is easier to read */
export function Copyable({ text, display = text }: { text: string; display?: string }) {
  const { words } = useWords()
  return (
    <div className="flex items-center gap-2 rounded-lg border border-line bg-surface-2 py-1.5 pr-1.5 pl-3">
      <code className="mono min-w-0 flex-1 break-all whitespace-pre-wrap">{display}</code>
      <CopyButton text={text} label={words.answer.copy}>
        {words.answer.copy}
      </CopyButton>
    </div>
  )
}
