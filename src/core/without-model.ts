/** Why no model takes part where none is set up. */
export const NO_MODEL = 'no model is configured'

/** How a sentence begins that says what rules alone can do. */
export function withoutModel(reason?: string): string {
  return `Without a language model${whyNone(reason)}`
}

/** What is said where rules give no result. */
export function needsModel(reason?: string): string {
  return `This needs a language model${whyNone(reason)}.`
}

/** Behind “a language model”: a model that is set up and failed is not said to be missing. */
export function whyNone(reason = NO_MODEL): string {
  return reason === NO_MODEL ? '' : ` (${reason.replace(/\.$/, '')})`
}
