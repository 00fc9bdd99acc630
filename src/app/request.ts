import { TuttiError } from '../core/errors.ts'
import type { RequestInput } from '../core/request.ts'
import type { Config } from './config.ts'
import { defined } from './options.ts'

/**
 * What was asked, as a request. What it leaves open is as the configuration says; each limit counts alone.
 * @throws TuttiError `InvalidRequest` for what is neither a text nor an object
 */
export function requestFrom(asked: RequestInput | string, { defaults, locale }: Config): RequestInput {
  if (typeof asked !== 'string' && (typeof asked !== 'object' || asked === null)) {
    throw new TuttiError('InvalidRequest', 'Ask a question: a text, or an object with one, such as { question: "…" }.')
  }
  const request = typeof asked === 'string' ? { question: asked } : asked
  const budget = { ...defaults.budget, ...defined(Object(request.budget)) }
  return { ...defined({ ...defaults, locale }), ...defined(request), budget } as RequestInput
}
