import { Field } from '../../ui/field.tsx'
import type { FieldValue } from '../../ui/form.tsx'
import { useWords } from '../../locales/words.tsx'

/** The current password. */
export function PasswordField(input: FieldValue<string> & { label?: string }) {
  const { words } = useWords()
  return <Field label={words.session.password} type="password" required autoComplete="current-password" {...input} />
}

/** A code of an authenticator app. */
export function CodeField(input: FieldValue<string>) {
  const { words } = useWords()
  return <Field label={words.settings.code} required inputMode="numeric" autoComplete="one-time-code" {...input} />
}
