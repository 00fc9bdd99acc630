import { ArrowUp, ChevronDown, Route, Square } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useEffect, useRef, useState } from 'react'
import { useWords } from '../../words/words.tsx'

export type StrategyName = 'auto' | 'pipeline' | 'graph' | 'supervisor' | 'review'
const STRATEGIES: readonly StrategyName[] = ['auto', 'pipeline', 'graph', 'supervisor', 'review']

interface ComposerProps {
  readonly placeholder: string
  /** Put in by whoever shows the composer, such as a suggestion. */
  readonly draft?: string
  readonly isRunning: boolean
  readonly ask: (question: string, strategy: StrategyName) => void
  readonly stop: () => void
}

/** Where a question is written. Enter asks, Shift and Enter begins a line, Escape stops what is under way. */
export function Composer({ placeholder, draft, isRunning, ask, stop }: ComposerProps) {
  const { words } = useWords()
  const [text, setText] = useState('')
  const [strategy, setStrategy] = useState<StrategyName>('auto')
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (draft === undefined || draft === '') return
    setText(draft)
    field.current?.focus()
  }, [draft])
  const isEmpty = text.trim() === ''
  const send = (): void => {
    if (isEmpty || isRunning) return
    ask(text.trim(), strategy)
    setText('')
  }
  return (
    <form
      className="rounded-2xl border border-line-strong bg-surface shadow-md focus-within:border-accent"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <textarea
        ref={field}
        className="block field-sizing-content max-h-60 min-h-12 w-full resize-none bg-transparent px-4 pt-3 text-15 shadow-none! outline-none placeholder:text-text-3"
        rows={1}
        value={text}
        placeholder={isRunning ? words.composer.whileRunning : placeholder}
        aria-label={placeholder}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && isRunning) stop()
          // A word that is being put together by an input method ends with Enter, too.
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          send()
        }}
      />
      <div className="flex items-center gap-1 px-2 pb-2">
        <DropdownMenu.Root modal={false}>
          <DropdownMenu.Trigger className="btn btn-ghost btn-sm">
            <Route size={16} aria-hidden />
            {words.composer.strategy}: {strategy}
            <ChevronDown size={14} aria-hidden />
          </DropdownMenu.Trigger>
          <DropdownMenu.Portal>
            <DropdownMenu.Content className="menu" side="top" align="start" sideOffset={6}>
              <DropdownMenu.RadioGroup value={strategy} onValueChange={(value) => setStrategy(value as StrategyName)}>
                {STRATEGIES.map((name) => (
                  <DropdownMenu.RadioItem key={name} value={name}>
                    <span className="flex flex-col">
                      <b className="font-medium">{name}</b>
                      <span className="text-12 text-text-2">{words.strategies[name]}</span>
                    </span>
                  </DropdownMenu.RadioItem>
                ))}
              </DropdownMenu.RadioGroup>
            </DropdownMenu.Content>
          </DropdownMenu.Portal>
        </DropdownMenu.Root>
        {isRunning ? (
          <button
            type="button"
            className="btn btn-primary btn-icon ml-auto"
            aria-label={words.composer.stop}
            title={words.composer.stop}
            onClick={stop}
          >
            <Square size={14} fill="currentColor" aria-hidden />
          </button>
        ) : (
          <button
            type="submit"
            className="btn btn-primary btn-icon ml-auto"
            disabled={isEmpty}
            aria-label={words.composer.send}
            title={words.composer.send}
          >
            <ArrowUp size={16} aria-hidden />
          </button>
        )}
      </div>
    </form>
  )
}
