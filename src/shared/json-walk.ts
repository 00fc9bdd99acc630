/** Values as trees: leaves are texts, numbers and other scalars; names of fields can be changed like leaves. */

/** A plain word is more likely the name of a field than a secret, and readers of the value need it. */
export function isFieldName(name: string): boolean {
  return /^[a-z]+$/i.test(name)
}

/** A copy with every leaf and every name changed, except for names that are to stay. */
export function mapLeaves<T>(value: T, change: (leaf: unknown) => unknown, stays = isFieldName): T {
  if (Array.isArray(value)) return value.map((inner) => mapLeaves<unknown>(inner, change, stays)) as T
  if (typeof value !== 'object' || value === null) return change(value) as T
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => {
    return [stays(name) ? name : String(change(name)), mapLeaves<unknown>(inner, change, stays)]
  })
  return Object.fromEntries(entries) as T
}

/** Whether there is such a leaf or name. Called for every event, and rarely true, so it copies nothing. */
export function someLeaf(value: unknown, is: (leaf: unknown) => boolean, stays = isFieldName): boolean {
  if (typeof value !== 'object' || value === null) return is(value)
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (someLeaf(value[i], is, stays)) return true
    return false
  }
  for (const name in value) {
    if (someLeaf((value as Record<string, unknown>)[name], is, stays) || (!stays(name) && is(name))) return true
  }
  return false
}
