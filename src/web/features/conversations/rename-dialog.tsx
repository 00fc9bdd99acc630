import { useRef, useState } from 'react'
import { Field } from '../../ui/field.tsx'
import { useWords } from '../../locales/words.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'

interface RenameProps {
  readonly title: string
  /** @returns when it is called so */
  readonly rename: (title: string) => Promise<unknown>
  readonly error: Error | null
  readonly close: () => void
}

/** Renames a conversation. The typed text stays until the server accepts it. */
export default function RenameDialog({ title, rename, error, close }: RenameProps) {
  const { words } = useWords()
  const [said, setSaid] = useState(title)
  const name = said.trim()
  // A state would be known one rendering later, and Enter may be pressed twice before that.
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
      // A failure is shown below.
      submit={() => (name === title ? close() : void send())}
      close={close}
    >
      <Field
        label={words.conversations.title}
        required
        maxLength={200}
        value={said}
        say={setSaid}
        onFocus={({ target }) => target.select()}
      />
    </FormDialog>
  )
}
