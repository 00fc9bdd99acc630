import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../../client/api.ts'
import type { Session } from '../../app/session.ts'
import { Logo } from '../../ui/logo.tsx'
import { ErrorText } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'

/** Sign-in page: name and password, a second factor if enabled, or single sign-on. */
export default function SignIn({ session }: { session: Session }) {
  const { words } = useWords()
  const client = useQueryClient()
  const [link, setLink] = useState(linkGiven)
  // Remove the link's token from the URL, so that later users of this browser do not find it.
  useEffect(() => history.replaceState(null, '', location.pathname + location.search), [])
  // Clear the data of the previous user.
  useEffect(() => {
    document.title = words.app.name
  }, [words])
  const [isNew, setNew] = useState(link.invitation !== '' && session.registration !== 'closed')
  const [fields, setFields] = useState({ username: '', password: '', code: '', invitation: link.invitation })
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== ''))
  const enter = useMutation({
    mutationFn: () => api.post(isNew ? '/session/register' : '/session', given),
    onSuccess: () => client.invalidateQueries(),
  })
  const choose = useMutation({
    mutationFn: () => api.post('/session/reset', { token: link.reset, password: fields.password }),
    onSuccess: () => {
      setLink({ ...link, reset: '' })
      setFields({ ...fields, password: '' })
    },
  })
  const isReset = link.reset !== ''
  const title = isReset ? words.session.choosePassword : isNew ? words.session.register : words.session.signIn
  const { error, isPending, mutate } = isReset ? choose : enter
  const field = (name: keyof typeof fields, label: string, type: string, autoComplete: string) => (
    <label className="flex flex-col gap-1 text-12 font-medium">
      {label}
      <input
        className="input h-10"
        type={type}
        required={name === 'username' || name === 'password'}
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
          mutate()
        }}
      >
        <h1 className="flex items-center gap-2 text-20 font-semibold">
          <Logo />
          {title}
        </h1>
        {choose.isSuccess ? (
          <p className="banner tone-ok" role="status">
            {words.session.passwordChosen}
          </p>
        ) : null}
        {link.isSignOnFailed && error === null ? (
          <p className="banner tone-bad" role="alert">
            {words.session.signOnFailed}
          </p>
        ) : null}
        {link.invitation !== '' && session.registration === 'closed' ? (
          <p className="banner tone-bad" role="alert">
            {words.session.noInvitations}
          </p>
        ) : null}
        {isReset ? null : field('username', words.session.name, 'text', 'username')}
        {field('password', words.session.password, 'password', isNew || isReset ? 'new-password' : 'current-password')}
        {isReset
          ? null
          : isNew
            ? session.registration === 'invitation'
              ? field('invitation', words.session.invitation, 'text', 'off')
              : null
            : field('code', words.session.code, 'text', 'one-time-code')}
        {error === null ? null : (
          <p className="banner tone-bad" role="alert">
            <ErrorText error={error} />
          </p>
        )}
        <button type="submit" className="btn btn-primary h-10" disabled={isPending}>
          {title}
        </button>
        {session.singleSignOn && !isReset ? (
          <a className="btn h-10" href="/session/oidc">
            {words.session.singleSignOn}
          </a>
        ) : null}
        {session.registration === 'closed' || isReset ? null : (
          <button
            type="button"
            className="text-12 text-accent-text hover:underline"
            onClick={() => {
              enter.reset()
              setNew(!isNew)
            }}
          >
            {isNew ? words.session.haveAccount : words.session.noAccount}
          </button>
        )}
      </form>
    </main>
  )
}

/** Reads the token of an invitation link, or the result of single sign-on, from the URL fragment. */
function linkGiven() {
  const params = new URLSearchParams(location.hash.slice(1))
  return {
    invitation: params.get('invitation') ?? '',
    reset: params.get('reset') ?? '',
    isSignOnFailed: params.has('sign-on'),
  }
}
