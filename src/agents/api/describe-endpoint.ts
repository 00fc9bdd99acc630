import { truncate } from '../../shared/json.ts'
import { onOneLine as oneLine } from '../../domain/prompt-text.ts'
import type { Endpoint, Param } from './catalogue/types.ts'

const MAX_DESCRIPTION = 300
const MAX_PARAM_DESCRIPTION = 120
const MAX_PARAMS = 25
const MAX_SCHEMA = 1_500

/** An endpoint as a model is shown it: everything that a call needs, in few words. */
export function describeEndpoint(endpoint: Endpoint, api: string): string {
  const { method, path, summary, description, params, security } = endpoint
  const listed = [...params].sort((a, b) => Number(b.required) - Number(a.required)).slice(0, MAX_PARAMS)
  const details = truncate(description === summary ? '' : oneLine(description), MAX_DESCRIPTION)
  return [
    `[${api}] ${method} ${path}${summary === '' ? '' : ` — ${oneLine(summary)}`}`,
    ...(details === '' ? [] : [`   ${details}`]),
    ...listed.map((param) => `   ${describeParam(param)}`),
    ...(params.length > listed.length ? [`   … and ${params.length - listed.length} more parameters`] : []),
    ...bodyLines(endpoint),
    ...(security.length === 0 ? [] : [`   sign-in: ${security.map((names) => names.join(' and ')).join(', or ')}`]),
  ].join('\n')
}

function describeParam({ name, in: place, required, type, description }: Param): string {
  const choices = type.enum ?? type.items?.enum
  const fields = type.type === 'object' && type.fields !== undefined ? `with ${type.fields.join(', ')}` : undefined
  const kind = [type.type === 'array' ? `list of ${type.items?.type ?? 'values'}` : type.type, type.format, fields]
    .filter(Boolean)
    .join(', ')
  const details = truncate(oneLine(description), MAX_PARAM_DESCRIPTION)
  const parts = [
    `${place} ${name}`,
    kind === '' ? '' : ` (${kind})`,
    choices === undefined ? '' : ` one of ${choices.slice(0, 20).join(' | ')}`,
    required ? ' required' : '',
    details === '' ? '' : `: ${details}`,
  ]
  return parts.join('')
}

function bodyLines(endpoint: Endpoint): string[] {
  const body = endpoint.body()
  if (body === undefined) return []
  return [
    `   body${body.required ? ' required' : ''} (${body.mediaType}): ${truncate(JSON.stringify(body.schema), MAX_SCHEMA)}`,
  ]
}
