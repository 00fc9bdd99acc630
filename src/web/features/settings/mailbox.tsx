import { useState } from 'react'
import type { Operations } from '../../../client/api-types.ts'
import { api } from '../../../client/api.ts'
import { useChange, useGet } from '../../app/data.ts'
import { useMayChange } from '../../app/session.ts'
import { Field, Section, Form } from '../../ui/field.tsx'
import { Fetched } from '../../ui/page.tsx'
import { Troubles } from '../../ui/states.tsx'
import { ConfirmButton } from '../../ui/confirm-dialog.tsx'
import { useWords } from '../../locales/words.tsx'

type MailboxSettings = Operations['GET /mailbox']['answer']

/** The user's own mailbox, used only for the user's own questions. */
export function OwnMailbox() {
  const found = useGet<MailboxSettings>('/mailbox')
  return (
    <Fetched query={found} lines={3}>
      {/* The fields start with the stored values. */}
      {(shown) => <MailboxForm key={shown.mailbox?.changedAt ?? ''} {...shown} />}
    </Fetched>
  )
}

function MailboxForm({ servers, mailbox }: MailboxSettings) {
  const { words, formats } = useWords()
  const mayChange = useMayChange()
  const { address = '', imap = servers[0] ?? '', smtp = '', user = '' } = mailbox ?? {}
  const [given, setGiven] = useState({ address, imap, smtp, user, password: '' })
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
          <ConfirmButton
            label={words.settings.mailboxErase}
            className="btn-sm btn-danger"
            sure={words.settings.mailboxEraseSure}
            yes={() => erase.mutate()}
          />
        )
      }
    >
      {isClosed ? (
        <p className="p-4 text-13 text-text-2">{words.settings.mailboxClosed}</p>
      ) : (
        <Form className="flex flex-col gap-3 p-4" submit={() => keep.mutate()}>
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
          <Troubles of={[keep, erase]} />
          <button type="submit" className="btn self-start" disabled={keep.isPending || !mayChange}>
            {keep.isPending ? words.settings.mailboxTrying : words.settings.mailboxKeep}
          </button>
        </Form>
      )}
    </Section>
  )
}
