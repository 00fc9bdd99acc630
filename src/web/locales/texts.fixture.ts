import german from './de.json' with { type: 'json' }
import english from './en.json' with { type: 'json' }
import { textsOf } from './texts.ts'

export const en = textsOf(english, 'en')
export const de = textsOf(german, 'de')
