import { Field } from '../../ui/field.tsx'
import { useWords } from '../../locales/words.tsx'

/** For the six digits of an authenticator app. */
export function CodeField({ value, say }: { value: string; say: (code: string) => void }) {
  const { words } = useWords()
  return (
    <Field
      label={words.settings.code}
      required
      inputMode="numeric"
      autoComplete="one-time-code"
      value={value}
      say={say}
    />
  )
}
