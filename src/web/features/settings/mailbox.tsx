import { api } from '../../../client/api.ts'
import { useChange, useGet, type Answer } from '../../app/data.ts'
import { useMayChange } from '../../app/session.ts'
import { Field, Section } from '../../ui/field.tsx'
import { Hint } from '../../ui/list.tsx'
import { MutationForm, useFields } from '../../ui/form.tsx'
import { Fetched } from '../../ui/page.tsx'
import { ErrorBanner } from '../../ui/states.tsx'
import { ConfirmButton } from '../../ui/confirm-dialog.tsx'
import { useWords } from '../../locales/words.tsx'

type MailboxSettings = Answer<'GET /mailbox'>

/** The user's own mailbox, used only for the user's own questions. */
export function OwnMailbox() {
  const { words } = useWords()
  const mayChange = useMayChange()
  const query = useGet<MailboxSettings>('/mailbox')
  const mailbox = query.data?.mailbox
  const erase = useChange(() => api.delete('/mailbox'), '/mailbox')
  return (
    <Section
      title={words.settings.mailbox}
      lead={words.settings.mailboxLead}
      actions={
        mailbox === undefined || !mayChange ? undefined : (
          <ConfirmButton
            label={words.settings.mailboxErase}
            className="btn-sm btn-danger"
            consequences={words.settings.mailboxEraseSure}
            yes={() => erase.mutate()}
          />
        )
      }
    >
      <ErrorBanner error={erase.error} />
      <Fetched query={query} lines={3}>
        {(settings) =>
          settings.servers.length === 0 && mailbox === undefined ? (
            <Hint>{words.settings.mailboxClosed}</Hint>
          ) : (
            // The fields start with the stored values.
            <MailboxForm key={mailbox?.changedAt ?? ''} {...settings} />
          )
        }
      </Fetched>
    </Section>
  )
}

function MailboxForm({ servers, mailbox }: MailboxSettings) {
  const { words, formats } = useWords()
  const mayChange = useMayChange()
  const { address = '', imap = servers[0] ?? '', smtp = '', user = '' } = mailbox ?? {}
  const { values, field } = useFields({ address, imap, smtp, user, password: '' })
  const save = useChange(
    () => api.put('/mailbox', { ...values, smtp: values.smtp.trim() === '' ? undefined : values.smtp }),
    '/mailbox',
  )
  return (
    <MutationForm
      mutation={save}
      action={save.isPending ? words.settings.mailboxTrying : words.settings.mailboxKeep}
      look=""
      disabled={!mayChange}
    >
      <p className="text-12 text-text-2">
        {mailbox === undefined
          ? words.settings.mailboxNone
          : words.settings.mailboxSince({ address: mailbox.address, day: formats.date(mailbox.changedAt) })}
      </p>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label={words.settings.mailboxAddress} required autoComplete="email" {...field('address')} />
        <Field label={words.settings.mailboxUser} required autoComplete="off" {...field('user')} />
        <Field
          label={words.settings.mailboxImap}
          hint={words.settings.mailboxServers({ servers: servers.join(', ') })}
          required
          {...field('imap')}
        />
        <Field label={words.settings.mailboxSmtp} hint={words.settings.mailboxSmtpHint} {...field('smtp')} />
        <Field
          label={words.session.password}
          hint={words.settings.mailboxPasswordHint}
          type="password"
          required
          autoComplete="off"
          {...field('password')}
        />
      </div>
    </MutationForm>
  )
}
