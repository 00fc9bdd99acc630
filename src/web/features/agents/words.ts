import { agentsDe } from '../../words/pages/agents-de.ts'
import { agentsEn } from '../../words/pages/agents-en.ts'
import { useWords, type Language } from '../../words/words.tsx'

const WORDS = { en: agentsEn, de: agentsDe } satisfies Record<Language, typeof agentsEn>

/** Words of this page in the person's language. */
export function useAgentWords(): typeof agentsEn {
  return WORDS[useWords().language]
}
