import type { LucideIcon } from 'lucide-react'

interface SegmentsProps<T extends string> {
  readonly value: T
  readonly options: readonly (readonly [value: T, label: string, icon?: LucideIcon])[]
  readonly change: (value: T) => void
  readonly className?: string
}

/** Buttons of which one is pressed. */
export function Segments<T extends string>({ value, options, change, className = '' }: SegmentsProps<T>) {
  return (
    <div className={`no-print seg ${className}`}>
      {options.map(([option, label, Icon]) => (
        <button key={option} type="button" aria-pressed={option === value} onClick={() => change(option)}>
          {Icon === undefined ? null : <Icon size={14} aria-hidden />}
          {label}
        </button>
      ))}
    </div>
  )
}
