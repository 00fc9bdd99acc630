/** Where a name stands as words of its own. */
export function placesOf(name: string, text: string): number[] {
  const lower = text.toLowerCase()
  // “US” is not “us”, nor a company “Most” the most.
  const [sought, said] =
    name.length < 4 || /^(?:most|least|best|worst|total|other)$/i.test(name) || lower.length !== text.length
      ? [name, text]
      : [name.toLowerCase(), lower]
  const places: number[] = []
  for (let at = said.indexOf(sought); at >= 0; at = said.indexOf(sought, at + sought.length)) {
    const around = `${said[at - 1] ?? ''} ${said[at + sought.length] ?? ''}`
    if (!/[\p{L}\p{N}]/u.test(around)) places.push(at)
  }
  return places
}
