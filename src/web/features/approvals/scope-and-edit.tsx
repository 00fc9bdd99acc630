import type { Approval } from '../../app/types.ts'
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

/** What an approval covers, where that can be more than the call that is shown. */
export function ScopeSelect({
  approval: { scopes = [], destination = '' },
  scope,
  setScope,
}: {
  approval: Pick<Approval, 'scopes' | 'destination'>
  scope: Scope
  setScope: (scope: Scope) => void
}) {
  const { words } = useWords()
  if (scopes.length < 2) return null
  const { once, ...wider } = words.decided.scopes
  return (
    <label className="flex flex-col gap-1">
      <span className="text-12 font-medium">{words.decided.covers}</span>
      <select className="input" value={scope} onChange={(event) => setScope(event.target.value as Scope)}>
        {scopes.map((one) => (
          <option key={one} value={one}>
            {one === 'once' ? once : wider[one]({ to: destination })}
          </option>
        ))}
      </select>
    </label>
  )
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
