import { differenceOf } from '../run/difference.ts'
import { showInvisible } from './show-invisible.ts'

/** A text with its insertions and deletions. */
export function Difference({ before, now }: { before: string; now: string }) {
  return differenceOf(before, now).map(({ text, change }, at) =>
    change === undefined ? (
      <span key={at}>{showInvisible(text)}</span>
    ) : change === 'added' ? (
      <ins key={at}>{showInvisible(text)}</ins>
    ) : (
      <del key={at}>{showInvisible(text)}</del>
    ),
  )
}
