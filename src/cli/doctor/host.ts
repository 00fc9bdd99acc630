/** Host and port without user and password; undefined for a file. */
export function hostOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  return new URL(url).host || undefined
}
