import { TuttiError } from '../../../core/errors.ts'

/**
 * A planned body in the media type that the endpoint takes: JSON, or a form with nested fields as `a[b]=c`.
 * @throws TuttiError `PlanningDeclined` for media types that a plan cannot be written in
 */
export function encodeBody(value: unknown, mediaType: string): { readonly mediaType: string; readonly body: string } {
  const type = mediaType.split(';', 1)[0]!.trim().toLowerCase()
  if (/[/+]json$/.test(type)) return { mediaType: type, body: JSON.stringify(value) }
  if (type === '*/*') return { mediaType: 'application/json', body: JSON.stringify(value) }
  if (type === 'application/x-www-form-urlencoded') {
    const form = new URLSearchParams()
    addFields(form, '', value)
    return { mediaType: type, body: form.toString() }
  }
  throw new TuttiError('PlanningDeclined', `This request takes ${type}, and only JSON and forms can be sent.`)
}

function addFields(form: URLSearchParams, prefix: string, value: unknown): void {
  if (value === null || value === undefined) return
  if (typeof value !== 'object') {
    form.append(prefix, String(value))
    return
  }
  for (const [key, inner] of Object.entries(value)) {
    const name = Array.isArray(value) ? '' : key
    addFields(form, prefix === '' ? key : `${prefix}[${name}]`, inner)
  }
}
