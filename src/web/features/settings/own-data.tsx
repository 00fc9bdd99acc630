import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Download, LogIn, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api, sendRequest } from '../../../client/api.ts'
import { useSession } from '../../app/session.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { Message, ErrorBanner } from '../../ui/states.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useWords } from '../../locales/words.tsx'
import { PasswordField } from './password-field.tsx'

/** Exports or erases all data of the user. Both ask the user to authenticate again. */
export function OwnData() {
  const { words } = useWords()
  const client = useQueryClient()
  const { hasPassword = true } = useSession()?.person ?? {}
  const { values, field, reset } = useFields({ password: '' })
  const [isAsked, setAsked] = useState(false)
  const proof = hasPassword ? values : {}
  const download = useMutation({
    mutationFn: async () => {
      const response = await sendRequest({}, 'POST', '/session/export', { body: proof })
      saveFile('tutti-export.tar.gz', await response.blob())
    },
    onSuccess: reset,
  })
  const erase = useMutation({
    mutationFn: () => api.post('/session/erase', proof),
    onSuccess: () => client.resetQueries(),
  })
  const isPending = download.isPending || erase.isPending
  return (
    <Section title={words.settings.ownData} lead={words.settings.ownDataLead}>
      <Form className="flex flex-col gap-3 p-4" submit={() => download.mutate()}>
        {hasPassword ? (
          <div className="grid gap-3 sm:grid-cols-2">
            <PasswordField {...field('password')} />
          </div>
        ) : (
          <p className="text-13 text-text-2">{words.settings.ownDataAgain}</p>
        )}
        <ErrorBanner error={download.error ?? erase.error} isInText />
        <Message tone="ok" text={download.isSuccess ? words.settings.ownDataSaved : undefined} />
        <div className="flex flex-wrap gap-2">
          {hasPassword ? null : (
            <a className="btn" href="/session/oidc?again=true">
              <LogIn size={16} aria-hidden />
              {words.settings.signInAgain}
            </a>
          )}
          <Button label={words.settings.ownDataExport} icon={Download} type="submit" disabled={isPending} />
          <Button
            label={words.settings.ownDataErase}
            icon={Trash2}
            className="btn-danger"
            disabled={isPending}
            onClick={({ currentTarget: { form } }) => setAsked(form?.reportValidity() === true)}
          />
        </div>
      </Form>
      {isAsked ? (
        <ConfirmDialog
          action={words.settings.ownDataErase}
          yes={() => erase.mutate()}
          close={() => setAsked(false)}
          consequences={words.settings.ownDataSure}
        />
      ) : null}
    </Section>
  )
}
