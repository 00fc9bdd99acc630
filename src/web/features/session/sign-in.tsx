import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ApiError } from '../../../client/api.ts'
import type { Session } from '../../app/session.ts'
import { Logo } from '../../ui/logo.tsx'
import { useWords } from '../../words/words.tsx'

/** The way in where people have accounts: name and password, a code where there is a second factor, or the house's own sign-on. */
export default function SignIn({ session }: { session: Session }) {
  const { words } = useWords()
  const client = useQueryClient()
  const [isNew, setNew] = useState(false)
  const [fields, setFields] = useState({ username: '', password: '', code: '', invitation: '' })
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== ''))
  const enter = useMutation({
    mutationFn: () => api.post(isNew ? '/session/register' : '/session', given),
    onSuccess: () => client.invalidateQueries(),
  })
  const field = (name: keyof typeof fields, label: string, type: string, autoComplete: string) => (
    <label className="flex flex-col gap-1 text-12 font-medium">
      {label}
      <input
        className="input h-10"
        type={type}
        autoComplete={autoComplete}
        value={fields[name]}
        onChange={(event) => setFields({ ...fields, [name]: event.target.value })}
      />
    </label>
  )
  return (
    <main className="grid h-dvh place-items-center overflow-y-auto p-4">
      <form
        className="card flex w-full max-w-90 flex-col gap-4 p-6"
        onSubmit={(event) => {
          event.preventDefault()
          enter.mutate()
        }}
      >
        <h1 className="flex items-center gap-2 text-20 font-semibold">
          <Logo />
          {isNew ? words.session.register : words.session.signIn}
        </h1>
        {field('username', words.session.name, 'text', 'username')}
        {field('password', words.session.password, 'password', isNew ? 'new-password' : 'current-password')}
        {isNew
          ? session.registration === 'invitation'
            ? field('invitation', words.session.invitation, 'text', 'off')
            : null
          : field('code', words.session.code, 'text', 'one-time-code')}
        {enter.error === null ? null : (
          <p className="banner tone-bad" role="alert">
            {enter.error instanceof ApiError ? enter.error.message : words.problem.offline}
          </p>
        )}
        <button type="submit" className="btn btn-primary h-10" disabled={enter.isPending}>
          {isNew ? words.session.register : words.session.signIn}
        </button>
        {session.singleSignOn ? (
          <a className="btn h-10" href="/session/oidc">
            {words.session.singleSignOn}
          </a>
        ) : null}
        {session.registration === 'closed' ? null : (
          <button type="button" className="text-12 text-accent-text hover:underline" onClick={() => setNew(!isNew)}>
            {isNew ? words.session.haveAccount : words.session.noAccount}
          </button>
        )}
      </form>
    </main>
  )
}
