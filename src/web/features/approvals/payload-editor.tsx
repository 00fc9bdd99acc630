import { isObject, tryParseExactJson } from '../../../client/run.ts'
import { Checkbox, LongField } from '../../ui/field.tsx'
import { showInvisible } from '../../ui/show-invisible.ts'
import { useWords } from '../../locales/words.tsx'
import { fieldLabel } from './http-request.ts'

/** The texts that the user edits, by field. */
export type PayloadDraft = Readonly<Record<string, string>>

function fieldsOf(payload: unknown): Readonly<Record<string, unknown>> {
  return isObject(payload) ? payload : { input: payload }
}

/** Lists that are edited with one entry per line: no entry may be lost or changed by that. */
function isListOfLines(value: unknown): value is readonly string[] {
  const isLine = (item: unknown): boolean => typeof item === 'string' && /^\S(?:[^\r\n]*\S)?$/.test(item)
  return Array.isArray(value) && value.length > 0 && value.every(isLine)
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return isListOfLines(value) ? value.join('\n') : (JSON.stringify(value, undefined, 2) ?? '')
}

/** Returns the texts to edit: a list of texts has one entry per line, other values that are no text are JSON. */
export function draftOf(payload: unknown): PayloadDraft {
  return Object.fromEntries(Object.entries(fieldsOf(payload)).map(([name, value]) => [name, textOf(value)]))
}

/** An emptied field that is no text is left out. */
const LEFT_OUT = Symbol('left out')

/** The value of a field; undefined if it must be JSON and is not. An unchanged field keeps its value. */
function valueOf(original: unknown, text: string): unknown {
  if (text === textOf(original)) return original
  if (typeof original === 'string') return text
  if (text.trim() === '') return LEFT_OUT
  if (!isListOfLines(original)) return tryParseExactJson(text)
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
    const label = Object.hasOwn(labels, name) ? labels[name]! : fieldLabel(name)
    const change = (to: string): void => setDraft({ ...draft, [name]: to })
    const text = draft[name]!
    // Hidden characters cannot be seen in an input.
    const visible = showInvisible(text)
    if (typeof value === 'boolean') {
      const isChecked = text === 'true'
      return <Checkbox key={name} label={label} checked={isChecked} onChange={(to) => change(String(to))} />
    }
    return (
      <LongField
        key={name}
        label={label}
        hint={visible === text ? (isListOfLines(value) ? words.decided.perLine : undefined) : visible}
        problem={valueOf(value, text) === undefined ? words.decided.notJson : undefined}
        value={text}
        onChange={change}
      />
    )
  })
}
