/** The host of an address as a site name. */
export function siteName(url: string): string {
  return new URL(url).host.replace(/^www\./, '')
}
