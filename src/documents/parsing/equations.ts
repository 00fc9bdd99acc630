/** Equations cannot be read as text. */
export function equationsNote(count: number): string[] {
  if (count === 0) return []
  return [count === 1 ? 'One equation was left out.' : `${count} equations were left out.`]
}
