import { Search } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { Message } from './states.tsx'

interface LabelProps {
  readonly label: string
  /** For screen readers only, where something else shows it. */
  readonly isQuiet?: boolean
  readonly hint?: string | undefined
  /** Why the value is rejected. */
  readonly problem?: string | undefined
  readonly children: ReactNode
}

function Label({ label, isQuiet = false, hint, problem, children }: LabelProps) {
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <label className="flex min-w-0 flex-col gap-1 text-12 font-medium">
        <span className={isQuiet ? 'sr-only' : ''}>{label}</span>
        {children}
        {hint === undefined ? null : <span className="font-normal text-text-3">{hint}</span>}
      </label>
      <Message tone="bad" text={problem} />
    </div>
  )
}

type FieldProps<Tag extends 'input' | 'textarea'> = Omit<ComponentProps<Tag>, 'onChange' | 'className'> & {
  readonly label: string
  readonly hint?: string | undefined
  readonly problem?: string | undefined
  readonly onChange?: (value: string) => void
}

/** Text input with a label. */
export function Field({ label, hint, problem, onChange, ...input }: FieldProps<'input'>) {
  return (
    <Label label={label} hint={hint} problem={problem}>
      <input {...input} className="input min-h-9" onChange={(event) => onChange?.(event.target.value)} />
    </Label>
  )
}

/** Multi-line text input that grows with its text. */
export function LongField({ label, hint, problem, onChange, ...area }: FieldProps<'textarea'>) {
  return (
    <Label label={label} hint={hint} problem={problem}>
      <textarea
        rows={1}
        {...area}
        className="input field-sizing-content min-h-9 max-h-60 py-2"
        onChange={(event) => onChange?.(event.target.value)}
      />
    </Label>
  )
}

interface CheckboxProps {
  readonly label: ReactNode
  readonly checked: boolean
  readonly onChange: (isChecked: boolean) => void
  readonly className?: string
}

/** A checkbox with its label. */
export function Checkbox({ label, checked, onChange, className = '' }: CheckboxProps) {
  return (
    <label className={`flex items-center gap-2 text-13 ${className}`}>
      <input type="checkbox" checked={checked} onChange={({ target }) => onChange(target.checked)} />
      {label}
    </label>
  )
}

/** Search input. */
export function SearchField({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (value: string) => void
}) {
  return (
    <label className="input max-w-90">
      <Search size={16} aria-hidden className="text-text-3" />
      <input
        className="min-w-0 flex-1 bg-transparent outline-none"
        type="search"
        value={value}
        placeholder={label}
        aria-label={label}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  )
}

interface ChoiceProps<T extends string> {
  readonly label: string
  /** Label for screen readers only, if a table header shows it. */
  readonly isQuiet?: boolean
  readonly value: T
  readonly options: Readonly<Record<T, string>>
  readonly disabled?: boolean
  readonly onChange: (value: T) => void
}

/** Select with a few options. */
export function Choice<T extends string>({
  label,
  isQuiet = false,
  value,
  options,
  disabled,
  onChange,
}: ChoiceProps<T>) {
  return (
    <Label label={label} isQuiet={isQuiet}>
      <select
        className={`input ${isQuiet ? '' : 'min-h-9'}`}
        value={value}
        disabled={disabled}
        onChange={(event) => onChange(event.target.value as T)}
      >
        {Object.entries<string>(options).map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </Label>
  )
}

/** Options of a `Choice` that are their own labels. */
export function optionsOf<T extends string>(values: readonly T[]): Readonly<Record<T, string>> {
  return Object.fromEntries(values.map((value) => [value, value])) as unknown as Record<T, string>
}

/** A section of a page with a heading. */
export function Section({
  title,
  lead,
  actions,
  children,
}: {
  title: string
  lead?: string
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <section className="card mb-4 overflow-hidden" aria-label={title}>
      <header className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2">
        <h2 className="text-14 font-semibold">{title}</h2>
        {lead === undefined ? null : <p className="min-w-0 text-12 text-text-3">{lead}</p>}
        {actions === undefined ? null : <div className="ml-auto flex items-center gap-2">{actions}</div>}
      </header>
      {children}
    </section>
  )
}
