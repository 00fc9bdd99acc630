import { Check, Copy } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useWords } from '../locales/words.tsx'

/** Puts a text where it can be taken along from, and says so for a moment. @param children what is said on it; with none it is its icon */
export function CopyButton({ text, label, children }: { text: string; label: string; children?: ReactNode }) {
  const { words } = useWords()
  const [isCopied, setCopied] = useState(false)
  const copy = (): void => {
    setCopied(true)
    setTimeout(() => setCopied(false), 1_500)
    // Where the page may not write to it, the text can still be marked by hand.
    navigator.clipboard.writeText(text).catch(() => setCopied(false))
  }
  const said = isCopied ? words.answer.copied : label
  return (
    <button
      type="button"
      className={`btn btn-ghost btn-sm ${children === undefined ? 'btn-icon' : ''}`}
      {...(children === undefined ? { 'aria-label': said, title: said } : {})}
      onClick={copy}
    >
      {isCopied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
      {children === undefined ? null : isCopied ? words.answer.copied : children}
    </button>
  )
}
