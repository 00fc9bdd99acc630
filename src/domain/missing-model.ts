/** Why no model takes part where none is set up. */
export const NO_MODEL = 'no model is configured'

/** The message when the offline stand-in has no result. */
export function noModelMessage(): string {
  return 'This needs a language model.'
}
