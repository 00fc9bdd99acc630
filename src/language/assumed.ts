/** How answers by rules tell what was taken for granted, so that a reading that was not meant is noticed. */
export function toldAssumptions(assumptions: readonly string[]): string {
  return assumptions.length === 0 ? '' : `(Assumed: ${assumptions.join('; ')}.)`
}

const TOLD = /\s*\(Assumed: ((?:[^()]|\([^()]*\))*?)\.?\)/g

/** An answer without that, and what it was. */
export function withoutAssumptions(answer: string): { readonly text: string; readonly assumptions: readonly string[] } {
  const assumptions = [...answer.matchAll(TOLD)].flatMap(([, said]) => said!.split('; '))
  return { text: answer.replaceAll(TOLD, ''), assumptions }
}
