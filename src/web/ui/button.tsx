import type { UseMutationResult } from '@tanstack/react-query'
import { createLink } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'

interface Content {
  readonly icon?: LucideIcon
  /** The text, unless it is in the children. */
  readonly label?: ReactNode
}

/** A change that needs no values. */
export type Action = Pick<UseMutationResult<unknown, Error, void>, 'mutate' | 'isPending'>

interface ButtonProps extends Content, ComponentProps<'button'> {
  /** What a press does, instead of `onClick`. The button is disabled while it is pending. */
  readonly action?: Action
}

/** A button with an optional icon. @param className its style besides `btn`, such as `btn-primary btn-sm` */
export function Button({ icon, label, className = '', type = 'button', action, children, ...rest }: ButtonProps) {
  const actionProps = action && { disabled: action.isPending, onClick: () => action.mutate() }
  return (
    <button type={type} {...actionProps} {...rest} className={`btn ${className}`}>
      {icon === undefined ? null : <ButtonIcon icon={icon} className={className} />}
      {label}
      {children}
    </button>
  )
}

/** A link that looks like a button. */
export const LinkButton = createLink(
  ({ icon, label, className = '', children, ...rest }: Content & ComponentProps<'a'>) => (
    <a {...rest} className={`btn ${className}`}>
      {icon === undefined ? null : <ButtonIcon icon={icon} className={className} />}
      {label}
      {children}
    </a>
  ),
)

function ButtonIcon({ icon: Icon, className }: { icon: LucideIcon; className: string }) {
  return <Icon size={className.includes('btn-sm') ? 14 : 16} className="flex-none" aria-hidden />
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'aria-label'> {
  readonly icon: LucideIcon
  /** Label for screen readers, and the tooltip if `title` is absent. */
  readonly label: string
  readonly size?: 14 | 16
  readonly look?: 'btn-ghost' | 'btn-primary' | ''
}

/** A button with an icon only. */
export function IconButton({
  icon: Icon,
  label,
  size = 16,
  look = 'btn-ghost',
  className = 'btn-sm',
  ...rest
}: IconButtonProps) {
  return (
    <button type="button" title={label} {...rest} className={`btn ${look} btn-icon ${className}`} aria-label={label}>
      <Icon size={size} aria-hidden />
    </button>
  )
}
