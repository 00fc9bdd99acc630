import { useNavigate } from '@tanstack/react-router'
import { ArrowUp, Paperclip, Square } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { FilePicker } from '../../ui/file-picker.tsx'
import { useAgentName } from '../../ui/agent-mark.tsx'
import { Form } from '../../ui/form.tsx'
import { useWords } from '../../locales/words.tsx'
import { AskMenus } from './ask-menus.tsx'
import { buildQuestion, STRATEGIES, useQuestionOptions, type Question } from './question-options.ts'
import { AttachmentList } from './attachments.tsx'
import { useDraft } from './draft.ts'
import { OfferList, useCompletion, type Suggestion } from './completion.tsx'
import { useAgents } from './use-agents.ts'
import { useAttachments, useDroppedFiles } from './use-attachments.ts'
import { IconButton } from '../../ui/button.tsx'

interface ComposerProps {
  /** The conversation ID, if there is one. */
  readonly place: string
  readonly placeholder: string
  /** Initial text, such as a suggestion. */
  readonly draft?: string
  readonly isRunning: boolean
  /** The run waits for the user. */
  readonly isWaiting: boolean
  /** Rejects if the question was not accepted. */
  readonly ask: (question: Question) => Promise<unknown>
  /** Answers the question that the run waits for; present while there is one. Rejects if it was not accepted. */
  readonly reply?: ((text: string) => Promise<unknown>) | undefined
  readonly stop: () => void
}

/** Input for a question. Enter asks, Shift+Enter starts a new line, Escape stops the run. */
export function Composer({ place, placeholder, draft, isRunning, isWaiting, ask, reply, stop }: ComposerProps) {
  const { words } = useWords()
  const [text, changeText] = useDraft('draft', place, '')
  const setText = (to: string): void => changeText(() => to)
  const [manner, change] = useQuestionOptions()
  const { files, documents, isSending, add, remove, clear } = useAttachments(place)
  const isOver = useDroppedFiles(add)
  const field = useRef<HTMLTextAreaElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const agents = useAgents()
  const known = new Set(agents.map(({ name }) => name))
  const commands = useCommands(change, () => picker.current?.click(), manner.planFirst)
  const nameOf = useAgentName()
  const completion = useCompletion({
    text,
    setText,
    field,
    offersFor: (sign) =>
      sign === '/'
        ? commands
        : agents.map(({ name, description }) => ({
            id: name,
            label: nameOf(name),
            hint: description,
            text: `@${name} `,
          })),
  })
  useEffect(() => {
    if (draft === undefined || draft === '') return
    setText(draft)
    field.current?.focus()
  }, [draft])
  // Where a keyboard is at hand, one begins to write at once; on a phone that would cover half of the page.
  useEffect(() => {
    if (matchMedia('(pointer: fine)').matches && document.activeElement === document.body) field.current?.focus()
  }, [])
  const question = buildQuestion(text, manner, known, documents)
  // Whom an @ names is not known before.
  const isUnread = agents.length === 0 && /(?<=^|\s)@\w/.test(text)
  const isReply = reply !== undefined
  const busy = isWaiting ? words.composer.whileWaiting : words.composer.whileRunning
  const isOff = isReply ? text.trim() === '' : question.question === '' || isUnread
  // Sent once the files are read.
  const [isQueued, setQueued] = useState(false)
  const send = (): void => {
    if (isOff || (isRunning && !isReply)) return
    if (isSending && !isReply) return setQueued(true)
    const putBack = isReply ? undefined : clear()
    setText('')
    const sent = isReply ? reply(text.trim()) : ask(question)
    // Put a rejected text back, above any text typed since.
    sent.catch(() => {
      changeText((since) => (since === '' ? text : `${text}\n${since}`))
      putBack?.()
    })
  }
  useEffect(() => {
    if (isSending || !isQueued) return
    setQueued(false)
    if (isReply) return
    // A question about a file that could not be read is not sent without it.
    if (files.every(({ refused }) => refused === undefined)) send()
  }, [isSending, isQueued])
  return (
    <Form
      className="relative rounded-2xl border border-line-strong bg-surface shadow-md focus-within:border-accent"
      submit={send}
    >
      {isOver ? (
        <p className="pointer-events-none fixed inset-2 z-40 grid place-items-center rounded-2xl border-2 border-dashed border-accent bg-accent-soft/90 text-16 font-semibold text-accent-text">
          {words.composer.drop}
        </p>
      ) : null}
      <OfferList label={words.composer.offers} completion={completion} />
      <AttachmentList files={files} remove={remove} />
      <textarea
        ref={field}
        className="block field-sizing-content max-h-60 min-h-12 w-full resize-none bg-transparent px-4 pt-3 text-15 shadow-none! outline-none placeholder:text-text-3"
        rows={1}
        data-composer
        value={text}
        placeholder={isReply ? words.composer.reply : isRunning ? busy : placeholder}
        aria-label={isReply ? words.composer.reply : placeholder}
        {...completion.attributes}
        onChange={(event) => {
          setText(event.target.value)
          setQueued(false)
          completion.setCaret(event.target.selectionStart)
        }}
        onSelect={(event) => completion.setCaret(event.currentTarget.selectionStart)}
        onPaste={(event) => {
          const pasted = [...event.clipboardData.files]
          if (pasted.length === 0) return
          event.preventDefault()
          add(pasted)
        }}
        onKeyDown={(event) => {
          if (completion.press(event)) return
          if (event.key === 'Escape' && isRunning) stop()
          // A word that is being put together by an input method ends with Enter, too.
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          send()
        }}
      />
      <div className="@container flex items-center gap-1 px-2 pb-2">
        {isReply ? null : (
          <>
            <IconButton icon={Paperclip} label={words.composer.attach} onClick={() => picker.current?.click()} />
            <FilePicker ref={picker} add={add} />
            <AskMenus manner={manner} change={change} />
          </>
        )}
        {isQueued ? (
          <span role="status" className="ml-auto text-12 text-text-2">
            {words.composer.queued}
          </span>
        ) : null}
        {isRunning && (!isReply || isOff) ? (
          <IconButton
            look="btn-primary"
            className="ml-auto"
            icon={Square}
            size={14}
            label={words.composer.stop}
            onClick={stop}
          />
        ) : (
          <IconButton
            type="submit"
            look="btn-primary"
            className="ml-auto"
            disabled={isOff || isQueued}
            icon={ArrowUp}
            label={words.composer.send}
          />
        )}
      </div>
    </Form>
  )
}

/** What can be done with a word that begins with a slash. */
function useCommands(
  change: ReturnType<typeof useQuestionOptions>[1],
  attach: () => void,
  planFirst: boolean,
): readonly Suggestion[] {
  const { words } = useWords()
  const navigate = useNavigate()
  const command = (id: string, hint: string, run: () => void): Suggestion => {
    return { id, label: `/${id}`, hint, text: '', run }
  }
  return [
    command('plan', words.composer.planFirst, () => change({ planFirst: !planFirst })),
    command('attach', words.composer.attach, attach),
    command('new', words.nav.newChat, () => void navigate({ to: '/' })),
    ...STRATEGIES.map((name) => command(name, words.strategies[name], () => change({ strategy: name }))),
  ]
}
