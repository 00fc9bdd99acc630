import { useState } from 'react'
import type { Schemas } from '../../../client/api-types.ts'
import { api } from '../../../client/api.ts'
import { useChange, useGet } from '../../app/data.ts'
import { useMayChange } from '../../app/session.ts'
import { Field, Section } from '../../ui/field.tsx'
import { Fetched } from '../../ui/page.tsx'
import { Trouble } from '../../ui/states.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useWords } from '../../locales/words.tsx'

interface MailboxSettings {
  readonly servers: readonly string[]
  readonly mailbox?: Schemas['Mailbox']
}

/** The user's own mailbox, used only for the user's own questions. */
export function OwnMailbox() {
  const found = useGet<MailboxSettings>('/mailbox')
  return (
    <Fetched query={found} lines={3}>
      {/* The fields start with the stored values. */}
      {(shown) => <Form key={shown.mailbox?.changedAt ?? ''} {...shown} />}
    </Fetched>
  )
}

function Form({ servers, mailbox }: MailboxSettings) {
  const { words, formats } = useWords()
  const mayChange = useMayChange()
  const { address = '', imap = servers[0] ?? '', smtp = '', user = '' } = mailbox ?? {}
  const [given, setGiven] = useState({ address, imap, smtp, user, password: '' })
  const [isSure, setSure] = useState(false)
  const keep = useChange(async () => {
    const { smtp: sending, ...entered } = given
    await api.put('/mailbox', { ...entered, ...(sending.trim() === '' ? {} : { smtp: sending }) })
  }, '/mailbox')
  const erase = useChange(() => api.delete('/mailbox'), '/mailbox')
  const field = (name: keyof typeof given, label: string, more: Partial<Parameters<typeof Field>[0]> = {}) => (
    <Field
      label={label}
      required
      value={given[name]}
      say={(value) => setGiven({ ...given, [name]: value })}
      {...more}
    />
  )
  const isClosed = servers.length === 0 && mailbox === undefined
  return (
    <Section
      title={words.settings.mailbox}
      lead={words.settings.mailboxLead}
      actions={
        mailbox === undefined || !mayChange ? undefined : (
          <button type="button" className="btn btn-sm btn-danger" onClick={() => setSure(true)}>
            {words.settings.mailboxErase}
          </button>
        )
      }
    >
      {isClosed ? (
        <p className="p-4 text-13 text-text-2">{words.settings.mailboxClosed}</p>
      ) : (
        <form
          className="flex flex-col gap-3 p-4"
          onSubmit={(event) => {
            event.preventDefault()
            keep.mutate()
          }}
        >
          <p className="text-12 text-text-2">
            {mailbox === undefined
              ? words.settings.mailboxNone
              : words.settings.mailboxSince({
                  address: mailbox.address,
                  day: formats.date(Date.parse(mailbox.changedAt)),
                })}
          </p>
          <div className="grid gap-3 sm:grid-cols-2">
            {field('address', words.settings.mailboxAddress, { autoComplete: 'email' })}
            {field('user', words.settings.mailboxUser, { autoComplete: 'off' })}
            {field('imap', words.settings.mailboxImap, {
              hint: words.settings.mailboxServers({ servers: servers.join(', ') }),
            })}
            {field('smtp', words.settings.mailboxSmtp, { required: false, hint: words.settings.mailboxSmtpHint })}
            {field('password', words.session.password, {
              type: 'password',
              autoComplete: 'off',
              hint: words.settings.mailboxPasswordHint,
            })}
          </div>
          {[keep.error, erase.error].map((error, at) => (error === null ? null : <Trouble key={at} error={error} />))}
          <button type="submit" className="btn self-start" disabled={keep.isPending || !mayChange}>
            {keep.isPending ? words.settings.mailboxTrying : words.settings.mailboxKeep}
          </button>
        </form>
      )}
      {isSure ? (
        <ConfirmDialog action={words.settings.mailboxErase} yes={() => erase.mutate()} close={() => setSure(false)}>
          {words.settings.mailboxEraseSure}
        </ConfirmDialog>
      ) : null}
    </Section>
  )
}
