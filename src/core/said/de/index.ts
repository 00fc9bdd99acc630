import { agents } from './agents.ts'
import { figures } from './figures.ts'
import { files } from './files.ts'
import { origins } from './origins.ts'
import { people } from './people.ts'
import { plans } from './plans.ts'
import { questions } from './questions.ts'
import { runs } from './runs.ts'
import { server } from './server.ts'
import { shown } from './shown.ts'
import { sources } from './sources.ts'
import { work } from './work.ts'

/**
 * What the product says in English, in German: by the sentence as the source has it, with `{}` for each value. In the German
 * `{}` is the next value, `{2}` the second, `{#}` a number, `{&}` several of them, such as “a, b or c”, `{:}` one that is itself a
 * sentence or word of the product where it is known, and `{;}` several such words.
 */
export const german: Readonly<Record<string, string>> = {
  ...people,
  ...server,
  ...runs,
  ...sources,
  ...files,
  ...agents,
  ...questions,
  ...figures,
  ...origins,
  ...shown,
  ...work,
  ...plans,
}
