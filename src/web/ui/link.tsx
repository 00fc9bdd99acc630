import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

interface LinkProps extends Omit<ComponentProps<'a'>, 'children' | 'className' | 'title'> {
  readonly text: string
}

/** The link of a list item to its page, on one line. J and K move to it. */
export const RowLink = createLink(({ text, ...link }: LinkProps) => (
  <a {...link} data-move className="cut block font-medium hover:underline" title={text}>
    {text}
  </a>
))

/** A link in a sentence. */
export const TextLink = createLink(({ text, ...link }: LinkProps) => (
  <a {...link} className="text-accent-text underline">
    {text}
  </a>
))
