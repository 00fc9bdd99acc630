import { createLink } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'

interface Content {
  readonly label: ReactNode
  readonly icon?: LucideIcon
  /** By default 14 in a small button, else 16. */
  readonly iconSize?: 14 | 16
}

/** A button with a label, and an icon before it. @param className its look besides `btn`, such as `btn-primary btn-sm` */
export function Button({
  label,
  icon,
  iconSize,
  className = '',
  type = 'button',
  ...rest
}: Content & Omit<ComponentProps<'button'>, 'children'>) {
  return (
    <button type={type} {...rest} className={`btn ${className}`}>
      {contentOf({ label, icon, iconSize }, className)}
    </button>
  )
}

/** A link that looks like a button. */
export const LinkButton = createLink(
  ({ label, icon, iconSize, className = '', ...rest }: Content & Omit<ComponentProps<'a'>, 'children'>) => (
    <a {...rest} className={`btn ${className}`}>
      {contentOf({ label, icon, iconSize }, className)}
    </a>
  ),
)

function contentOf(
  { label, icon: Icon, iconSize }: { [Name in keyof Content]: Content[Name] | undefined },
  look: string,
) {
  return (
    <>
      {Icon === undefined ? null : <Icon size={iconSize ?? (look.includes('btn-sm') ? 14 : 16)} aria-hidden />}
      {label}
    </>
  )
}
