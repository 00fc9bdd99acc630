import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'type' | 'aria-label'> {
  readonly icon: LucideIcon
  /** Label for screen readers, and the tooltip if `title` is absent. */
  readonly label: string
  readonly size?: 14 | 16
}

/** A button that is an icon alone. */
export function IconButton({ icon: Icon, label, size = 16, className = 'btn-sm', ...rest }: IconButtonProps) {
  return (
    <button type="button" title={label} {...rest} className={`btn btn-ghost btn-icon ${className}`} aria-label={label}>
      <Icon size={size} aria-hidden />
    </button>
  )
}
