/** Parses the query string: text values; several for a repeated name. */
export type Search = Readonly<Record<string, unknown>>

export function searchIn(text: string): Record<string, string | readonly string[]> {
  const params = new URLSearchParams(text)
  return Object.fromEntries(
    [...new Set(params.keys())].map((name) => {
      const [first = '', ...more] = params.getAll(name)
      return [name, more.length === 0 ? first : [first, ...more]]
    }),
  )
}

export function searchAs(search: Search): string {
  const texts = Object.entries(search).flatMap(([name, values]) =>
    [values].flat().flatMap((value) => (value === undefined || value === '' ? [] : [[name, String(value)]])),
  )
  return texts.length === 0 ? '' : `?${new URLSearchParams(texts).toString()}`
}

/** The values of these names; the last one of a repeated name. Empty values count as absent. */
export function searchTexts<Name extends string>(names: readonly Name[]) {
  return (search: Search): Partial<Record<Name, string>> =>
    Object.fromEntries(
      names.flatMap((name) => {
        const lastValue = allOf(search, name).at(-1)
        return lastValue === undefined ? [] : [[name, lastValue]]
      }),
    ) as never
}

/** All texts that have the name, but empty ones. */
export function searchList<Name extends string>(name: Name) {
  return (search: Search): Partial<Record<Name, readonly string[]>> => {
    const all = allOf(search, name)
    return (all.length === 0 ? {} : { [name]: all }) as never
  }
}

function allOf(search: Search, name: string): readonly string[] {
  return [search[name] ?? []]
    .flat()
    .map(String)
    .filter((text) => text !== '')
}
