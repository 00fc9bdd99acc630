/** Web addresses that are in a text, in order, each once. Punctuation of the sentence around them is left off. */
export function urlsIn(text: string): string[] {
  const found = [...text.matchAll(/(?:\bhttps?:\/\/|\bwww\.(?=[\w-]+\.))[^\s<>"'`|\\^{}]{1,2000}/gi)].map(([match]) => {
    const bare = withoutPunctuation(match)
    return normalizeUrl(/^www\./i.test(bare) ? `https://${bare}` : bare)
  })
  return [...new Set(found.flatMap((address) => address ?? []))]
}

/** The normalized form of an address, for comparison; undefined for an invalid one. */
export function normalizeUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  if (!/^https?:$/.test(url.protocol)) return undefined
  url.hash = ''
  return url.href
}

/** A closing bracket belongs to the address only when it closes one inside it. */
function withoutPunctuation(match: string): string {
  let url = match
  for (;;) {
    const last = url.at(-1) ?? ''
    const opening = { ')': '(', ']': '[' }[last]
    const isOpen = opening !== undefined && url.split(last).length > url.split(opening).length
    if (!/[.,;:!?*]/.test(last) && !isOpen) return url
    url = url.slice(0, -1)
  }
}
