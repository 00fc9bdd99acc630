import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Download, LogIn, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api, sendRequest } from '../../../client/api.ts'
import { useSession } from '../../app/session.ts'
import { Field, Section } from '../../ui/field.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { Troubles } from '../../ui/states.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useWords } from '../../locales/words.tsx'
import { CodeField } from './code-field.tsx'
import { Button } from '../../ui/button.tsx'

/** Exports or erases all data of the user. Both ask the user to authenticate again. */
export function OwnData() {
  const { words } = useWords()
  const client = useQueryClient()
  const { hasPassword = true, hasSecondFactor: has = false } = useSession()?.person ?? {}
  const [given, setGiven] = useState({ password: '', code: '' })
  const [isSure, setSure] = useState(false)
  const proof = (): object => (!hasPassword ? {} : has ? given : { password: given.password })
  const done = (): void => setGiven({ password: '', code: '' })
  const take = useMutation({
    mutationFn: async () =>
      saveFile(
        'tutti-export.tar.gz',
        await (await sendRequest({}, 'POST', '/session/export', { body: proof() })).blob(),
      ),
    onSuccess: done,
  })
  const erase = useMutation({
    mutationFn: () => api.post('/session/erase', proof()),
    onSuccess: () => client.resetQueries(),
  })
  const isBusy = take.isPending || erase.isPending
  return (
    <Section title={words.settings.ownData} lead={words.settings.ownDataLead}>
      <form
        className="flex flex-col gap-3 p-4"
        onSubmit={(event) => {
          event.preventDefault()
          const { submitter } = event.nativeEvent as SubmitEvent
          if ((submitter as HTMLButtonElement | null)?.value === 'erase') setSure(true)
          else take.mutate()
        }}
      >
        {hasPassword ? (
          <div className="grid gap-3 sm:grid-cols-2">
            <Field
              label={words.session.password}
              type="password"
              required
              autoComplete="current-password"
              value={given.password}
              say={(password) => setGiven({ ...given, password })}
            />
            {has ? <CodeField value={given.code} say={(code) => setGiven({ ...given, code })} /> : null}
          </div>
        ) : (
          <p className="text-13 text-text-2">{words.settings.ownDataAgain}</p>
        )}
        <Troubles of={[take, erase]} />
        {take.isSuccess ? (
          <p className="text-12 text-ok" role="status">
            {words.settings.ownDataSaved}
          </p>
        ) : null}
        <div className="flex flex-wrap gap-2">
          {hasPassword ? null : (
            <a className="btn" href="/session/oidc?again=true">
              <LogIn size={16} aria-hidden />
              {words.settings.signInAgain}
            </a>
          )}
          <Button icon={Download} label={words.settings.ownDataExport} type="submit" disabled={isBusy} />
          <button type="submit" value="erase" className="btn btn-danger" disabled={isBusy}>
            <Trash2 size={16} aria-hidden />
            {words.settings.ownDataErase}
          </button>
        </div>
      </form>
      {isSure ? (
        <ConfirmDialog action={words.settings.ownDataErase} yes={() => erase.mutate()} close={() => setSure(false)}>
          {words.settings.ownDataSure}
        </ConfirmDialog>
      ) : null}
    </Section>
  )
}
