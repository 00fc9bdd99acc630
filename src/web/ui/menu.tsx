import type { LucideIcon } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import type { ComponentProps, ReactElement } from 'react'

interface MenuProps extends ComponentProps<typeof DropdownMenu.Content> {
  /** The button that opens the menu. */
  readonly button: ReactElement
  readonly defaultOpen?: boolean
  /** The element that the menu is added to; by default the body of the page. */
  readonly container?: HTMLElement | null
}

/** A menu below its button, or above it with `side="top"`. */
export function Menu({ button, defaultOpen = false, container = null, className = '', ...content }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false} defaultOpen={defaultOpen}>
      <DropdownMenu.Trigger asChild>{button}</DropdownMenu.Trigger>
      <DropdownMenu.Portal container={container}>
        <DropdownMenu.Content
          className={`menu ${className}`}
          align={content.side === 'top' ? 'start' : 'end'}
          sideOffset={6}
          collisionPadding={8}
          {...content}
        />
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

interface MenuItemProps {
  readonly label: string
  readonly icon?: LucideIcon
  /** A second line. */
  readonly hint?: string
  readonly onSelect: () => void
}

export function MenuItem({ label, icon: Icon, hint, onSelect }: MenuItemProps) {
  return (
    <DropdownMenu.Item onSelect={onSelect}>
      {Icon === undefined ? null : <Icon size={16} aria-hidden />}
      {hint === undefined ? label : <MenuLabel label={label} hint={hint} />}
    </DropdownMenu.Item>
  )
}

/** The entry of a radio group. */
export function MenuChoice({ value, label, hint }: { value: string; label: string; hint?: string }) {
  return (
    <DropdownMenu.RadioItem value={value}>
      <MenuTick />
      {hint === undefined ? label : <MenuLabel label={label} hint={hint} />}
    </DropdownMenu.RadioItem>
  )
}

interface MenuCheckboxProps {
  readonly label: string
  readonly hint: string
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
}

/** A checkbox that keeps the menu open. */
export function MenuCheckbox({ label, hint, isChecked, onChange }: MenuCheckboxProps) {
  return (
    <DropdownMenu.CheckboxItem
      checked={isChecked}
      onSelect={(event) => event.preventDefault()}
      onCheckedChange={onChange}
    >
      <MenuTick />
      <MenuLabel label={label} hint={hint} />
    </DropdownMenu.CheckboxItem>
  )
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="my-1 h-px bg-line" />
}

function MenuTick() {
  return (
    <span className="w-4 flex-none">
      <DropdownMenu.ItemIndicator>✓</DropdownMenu.ItemIndicator>
    </span>
  )
}

function MenuLabel({ label, hint }: { label: string; hint: string }) {
  return (
    <span className="flex flex-col py-0.5">
      <b className="font-medium">{label}</b>
      {hint === '' ? null : <span className="text-12 text-text-2">{hint}</span>}
    </span>
  )
}
