import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../../client/api.ts'
import type { Session } from '../../app/session.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { Banner, ErrorText } from '../../ui/states.tsx'
import { Logo } from '../../ui/logo.tsx'
import { useWords } from '../../locales/words.tsx'

/** Sign-in page: name and password, or single sign-on. */
export default function SignIn({ session }: { session: Session }) {
  const { words } = useWords()
  const client = useQueryClient()
  const [link, setLink] = useState(readFragment)
  // Remove the link's token from the URL, so that later users of this browser do not find it.
  useEffect(() => history.replaceState(null, '', location.pathname + location.search), [])
  // Clear the data of the previous user.
  useEffect(() => {
    document.title = words.app.name
  }, [words])
  const [isNew, setNew] = useState(false)
  const { values, field } = useFields({ username: '', password: '' })
  const body = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''))
  const signIn = useMutation({
    mutationFn: () => api.post(isNew ? '/session/register' : '/session', body),
    onSuccess: () => client.invalidateQueries(),
  })
  const choose = useMutation({
    mutationFn: () => api.post('/session/reset', { token: link.reset, password: values.password }),
    onSuccess: () => {
      setLink({ ...link, reset: '' })
      field('password').onChange('')
    },
  })
  const isReset = link.reset !== ''
  const title = isReset ? words.session.choosePassword : isNew ? words.session.register : words.session.signIn
  const { error, isPending, mutate } = isReset ? choose : signIn
  return (
    <main className="grid h-dvh place-items-center overflow-y-auto p-4">
      <Form className="card flex w-full max-w-90 flex-col gap-4 p-6" submit={() => mutate()}>
        <h1 className="flex items-center gap-2 text-20 font-semibold">
          <Logo />
          {title}
        </h1>
        {choose.isSuccess ? <Banner tone="ok" role="status" text={words.session.passwordChosen} /> : null}
        {link.isSignOnFailed && error === null ? (
          <Banner tone="bad" role="alert" text={words.session.signOnFailed} />
        ) : null}
        {isReset ? null : (
          <Field label={words.session.name} type="text" required autoComplete="username" {...field('username')} />
        )}
        <Field
          label={words.session.password}
          type="password"
          required
          autoComplete={isNew || isReset ? 'new-password' : 'current-password'}
          {...field('password')}
        />
        {error === null ? null : <Banner tone="bad" role="alert" text={<ErrorText error={error} />} />}
        <Button label={title} type="submit" className="btn-primary h-10" disabled={isPending} />
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
              signIn.reset()
              setNew(!isNew)
            }}
          >
            {isNew ? words.session.haveAccount : words.session.noAccount}
          </button>
        )}
      </Form>
    </main>
  )
}

/** Reads the token of a link, or the result of single sign-on, from the URL fragment. */
function readFragment() {
  const params = new URLSearchParams(location.hash.slice(1))
  return {
    reset: params.get('reset') ?? '',
    isSignOnFailed: params.has('sign-on'),
  }
}
