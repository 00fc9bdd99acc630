import { useRef, useState } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Trouble } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { Button } from '../../ui/button.tsx'

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
    <Dialog label={words.conversations.rename} close={close} className="dialog" startsInside>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (name === title) close()
          // A failure is shown below.
          else void send()
        }}
      >
        <div className="px-5 pt-5 pb-4">
          <Field
            label={words.conversations.title}
            required
            maxLength={200}
            value={said}
            say={setSaid}
            onFocus={({ target }) => target.select()}
          />
        </div>
        {error === null ? null : <Trouble error={error} />}
        <footer className="flex justify-end gap-2 border-t border-line px-5 py-3">
          <Button label={words.app.cancel} onClick={close} />
          <Button label={words.app.save} className="btn-primary" type="submit" disabled={name === ''} />
        </footer>
      </form>
    </Dialog>
  )
}
