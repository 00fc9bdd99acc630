import { createLink } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'

interface Content {
  readonly label: ReactNode
  readonly icon?: LucideIcon
}

/** A button with a label and an optional icon. @param className its style besides `btn`, such as `btn-primary btn-sm` */
export function Button({
  label,
  icon,
  className = '',
  type = 'button',
  ...rest
}: Content & Omit<ComponentProps<'button'>, 'children'>) {
  return (
    <button type={type} {...rest} className={`btn ${className}`}>
      {icon === undefined ? null : <ButtonIcon icon={icon} className={className} />}
      {label}
    </button>
  )
}

/** A link that looks like a button. */
export const LinkButton = createLink(
  ({ label, icon, className = '', ...rest }: Content & Omit<ComponentProps<'a'>, 'children'>) => (
    <a {...rest} className={`btn ${className}`}>
      {icon === undefined ? null : <ButtonIcon icon={icon} className={className} />}
      {label}
    </a>
  ),
)

function ButtonIcon({ icon: Icon, className }: { icon: LucideIcon; className: string }) {
  return <Icon size={className.includes('btn-sm') ? 14 : 16} className="flex-none" aria-hidden />
}
