/** A placeholder for a text of the input: `{{localeRule}}`. `{{wording}}` inserts the prompt's own wording. */
const PLACE = /\{\{\s*(\w+)\s*\}\}/g
const OWN = 'wording'

/** The wording with texts of the input in their places. */
export function fillPlaceholders(wording: string, input: unknown): string {
  const fields = input as Readonly<Record<string, unknown>>
  return wording.replace(PLACE, (place, name: string) => (typeof fields[name] === 'string' ? fields[name] : place))
}

/** An operator's wording with `{{wording}}` filled in. */
export function completeWording(wording: string, own: string): string {
  return wording.replace(PLACE, (place, name: string) => (name === OWN ? own : place)).trim()
}

/** The problem of a replacement wording, as words that follow its name; undefined if it is valid. */
export function wordingProblem(wording: string, own: string): string | undefined {
  const needed = placeholderNames(own)
  const given = placeholderNames(completeWording(wording, own))
  const stranger = given.find((name) => !needed.includes(name))
  const known = [...needed, OWN].map((name) => `{{${name}}}`).join(', ')
  if (wording.trim() === '') return 'is empty'
  if (stranger !== undefined) return `has the place {{${stranger}}}, which means nothing there; it may have ${known}`
  const missing = needed.find((name) => !given.includes(name))
  return missing === undefined ? undefined : `lacks the place {{${missing}}}`
}

/** Names of the places in a wording. */
export function placeholderNames(wording: string): string[] {
  return [...wording.matchAll(PLACE)].map(([, name]) => name!)
}
