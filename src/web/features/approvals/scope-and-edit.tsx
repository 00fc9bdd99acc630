import type { Approval } from '../../app/types.ts'
import { Choice } from '../../ui/field.tsx'
import { useWords } from '../../locales/words.tsx'

type Scope = NonNullable<Approval['scope']>

/** Undefined for a text that is no JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

interface ScopeSelectProps {
  readonly approval: Pick<Approval, 'scopes' | 'destination'>
  readonly scope: Scope
  readonly setScope: (scope: Scope) => void
}

/** What an approval covers, where that can be more than the call that is shown. */
export function ScopeSelect({ approval: { scopes = [], destination = '' }, scope, setScope }: ScopeSelectProps) {
  const { words } = useWords()
  if (scopes.length < 2) return null
  const { once, ...wider } = words.decided.scopes
  const options = scopes.map((one) => [one, one === 'once' ? once : wider[one]({ to: destination })])
  return <Choice label={words.decided.covers} value={scope} options={Object.fromEntries(options)} say={setScope} />
}

/** The payload as JSON that can be edited. */
export function PayloadEditor({ draft, setDraft }: { draft: string; setDraft: (draft: string) => void }) {
  const { words } = useWords()
  const isValid = jsonOf(draft) !== undefined
  return (
    <label className="flex flex-col gap-1">
      <span className="text-12 font-medium">{words.decided.edited}</span>
      <textarea
        className="input mono"
        rows={10}
        spellCheck={false}
        aria-invalid={!isValid}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
      />
      {isValid ? null : <span className="text-12 text-bad">{words.decided.notJson}</span>}
    </label>
  )
}
