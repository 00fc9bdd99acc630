import { differenceOf } from '../run/difference.ts'
import { visible } from './visible.ts'

/** A text with its insertions and deletions. */
export function Difference({ before, now }: { before: string; now: string }) {
  return differenceOf(before, now).map(({ text, change }, at) =>
    change === undefined ? (
      <span key={at}>{visible(text)}</span>
    ) : change === 'added' ? (
      <ins key={at}>{visible(text)}</ins>
    ) : (
      <del key={at}>{visible(text)}</del>
    ),
  )
}
