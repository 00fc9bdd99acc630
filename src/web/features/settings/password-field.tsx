import { Field } from '../../ui/field.tsx'
import type { FieldValue } from '../../ui/form.tsx'
import { useWords } from '../../locales/words.tsx'

/** The current password. */
export function PasswordField(input: FieldValue<string> & { label?: string }) {
  const { words } = useWords()
  return <Field label={words.session.password} type="password" required autoComplete="current-password" {...input} />
}
