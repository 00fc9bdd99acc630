import { isObject, tryParseJson } from '../../../client/run.ts'
import { Checkbox, LongField } from '../../ui/field.tsx'
import { useWords } from '../../locales/words.tsx'
import { fieldLabel } from './http-request.ts'

/** The texts that the user edits, by field. */
export type PayloadDraft = Readonly<Record<string, string>>

function fieldsOf(payload: unknown): Readonly<Record<string, unknown>> {
  return isObject(payload) ? payload : { input: payload }
}

function isListOfLines(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string' && !item.includes('\n'))
}

/** Returns the texts to edit: a list of texts has one entry per line, other values that are no text are JSON. */
export function draftOf(payload: unknown): PayloadDraft {
  const texts = Object.entries(fieldsOf(payload)).map(([name, value]) => {
    if (typeof value === 'string') return [name, value]
    return [name, isListOfLines(value) ? value.join('\n') : JSON.stringify(value, undefined, 2)]
  })
  return Object.fromEntries(texts)
}

/** An emptied field that is no text is left out. */
const LEFT_OUT = Symbol('left out')

/** The value of an edited field; undefined if it must be JSON and is not. */
function valueOf(original: unknown, text: string): unknown {
  if (typeof original === 'string') return text
  if (!isListOfLines(original)) return text.trim() === '' ? LEFT_OUT : tryParseJson(text)
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Returns the payload with the edited texts; undefined if one of them is invalid. */
export function applyDraft(payload: unknown, draft: PayloadDraft): unknown {
  const fields = Object.entries(fieldsOf(payload)).map(([name, value]) => [name, valueOf(value, draft[name] ?? '')])
  if (fields.some(([, value]) => value === undefined)) return undefined
  const edited = Object.fromEntries(fields.filter(([, value]) => value !== LEFT_OUT))
  return isObject(payload) ? edited : edited['input']
}

interface PayloadEditorProps {
  readonly payload: unknown
  readonly draft: PayloadDraft
  readonly setDraft: (draft: PayloadDraft) => void
}

/** The payload, one input for each field. */
export function PayloadEditor({ payload, draft, setDraft }: PayloadEditorProps) {
  const { words } = useWords()
  const { to, cc, bcc, subject } = words.approval
  const labels: Readonly<Record<string, string>> = { to, cc, bcc, subject, body: words.decided.body }
  return Object.entries(fieldsOf(payload)).map(([name, value]) => {
    const label = labels[name] ?? fieldLabel(name)
    const change = (text: string): void => setDraft({ ...draft, [name]: text })
    if (typeof value === 'boolean') {
      const isChecked = draft[name] === 'true'
      return <Checkbox key={name} label={label} checked={isChecked} onChange={(to) => change(String(to))} />
    }
    return (
      <LongField
        key={name}
        label={label}
        hint={isListOfLines(value) ? words.decided.perLine : undefined}
        problem={valueOf(value, draft[name]!) === undefined ? words.decided.notJson : undefined}
        value={draft[name]!}
        onChange={change}
      />
    )
  })
}
