/** Host of an address, as people name a site. */
export function siteName(url: string): string {
  return new URL(url).host.replace(/^www\./, '')
}
