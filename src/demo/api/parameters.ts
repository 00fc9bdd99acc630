import { z } from 'zod'

/** Parameters come as text; each schema takes the text and gives the value, so that one schema checks and documents. */
const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(min).max(max))

const amount = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,4})?$/, 'must be an amount in euros such as 500 or 99.50')
  .transform(Number)
  .pipe(z.number().min(0))

const yesOrNo = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((text) => text === 'true')
  .pipe(z.boolean())

const optionalDay = z.iso.date('must be a date such as 2026-10-31').optional()

/** The id in a path. */
export const idParam = (what: string, example: number) =>
  wholeNumber(1, 999_999_999).meta({ description: what, examples: [example] })

export const optionalId = (what: string) => wholeNumber(1, 999_999_999).optional().describe(what)
export const optionalAmount = (what: string) => amount.optional().describe(what)
export const optionalFlag = (what: string) => yesOrNo.optional().describe(what)
export const optionalDate = (what: string) => optionalDay.describe(what)

/** One of a few words. */
export const optionalChoice = <const T extends readonly [string, ...string[]]>(values: T, what: string) =>
  z
    .enum(values, `must be one of ${values.join(', ')}`)
    .optional()
    .describe(what)

/** Which page of a list, as all lists take it. */
export const PAGING = {
  page: wholeNumber(1, 1_000_000).default(1).describe('Page to read, from 1'),
  limit: wholeNumber(1, 100).default(50).describe('Records a page, 100 at most'),
}
