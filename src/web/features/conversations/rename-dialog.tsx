import { useRef, useState } from 'react'
import { Field } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form.tsx'
import { useWords } from '../../locales/words.tsx'

interface RenameProps {
  readonly title: string
  /** Resolves when the server accepted the title. */
  readonly rename: (title: string) => Promise<unknown>
  readonly error: Error | null
  readonly close: () => void
}

/** Renames a conversation. The typed text stays until the server accepts it. */
export default function RenameDialog({ title, rename, error, close }: RenameProps) {
  const { words } = useWords()
  const [draft, setDraft] = useState(title)
  const name = draft.trim()
  // A ref, since Enter may be pressed twice before the next render.
  const isSending = useRef(false)
  const send = async (): Promise<void> => {
    if (isSending.current) return
    isSending.current = true
    await rename(name).then(close, () => (isSending.current = false))
  }
  return (
    <FormDialog
      title={words.conversations.rename}
      action={words.app.save}
      disabled={name === ''}
      error={error}
      startsInside
      submit={() => (name === title ? close() : void send())}
      close={close}
    >
      <Field
        label={words.conversations.title}
        required
        maxLength={200}
        value={draft}
        onChange={setDraft}
        onFocus={({ target }) => target.select()}
      />
    </FormDialog>
  )
}
