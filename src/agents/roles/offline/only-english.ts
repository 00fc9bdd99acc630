import { isOfModel } from '../../../core/answer-format.ts'
import type { RoleContext } from '../../../core/actor.ts'
import type { AgentResult } from '../../../core/response.ts'
import { likelyLanguageOf } from '../../../language/which-language.ts'

const ENGLISH = 'Without a language model only questions in English can be answered.'

/** The same for who asked in these languages. */
const SAID: Readonly<Record<string, string>> = {
  de: 'Ohne Sprachmodell können nur Fragen auf Englisch beantwortet werden: Verbinden Sie ein Modell, oder fragen Sie auf Englisch.',
  fr: 'Sans modèle de langage, seules les questions en anglais peuvent recevoir une réponse.',
  es: 'Sin un modelo de lenguaje solo se pueden responder preguntas en inglés.',
  it: 'Senza un modello linguistico si può rispondere solo a domande in inglese.',
  pt: 'Sem um modelo de linguagem só é possível responder a perguntas em inglês.',
  nl: 'Zonder taalmodel kunnen alleen vragen in het Engels worden beantwoord.',
}

const SILENT =
  'The language model that is connected gave no answer of use, and without one only questions in English can be answered.'
const SILENT_SAID: Readonly<Record<string, string>> = {
  de: 'Das verbundene Sprachmodell antwortet nicht oder nicht brauchbar, und ohne eines können nur Fragen auf Englisch beantwortet werden: Prüfen Sie das Modell, oder fragen Sie auf Englisch.',
  fr: 'Le modèle de langage connecté n’a pas donné de réponse utilisable ; sans lui, seules les questions en anglais peuvent recevoir une réponse.',
  es: 'El modelo de lenguaje conectado no ha dado una respuesta utilizable; sin él solo se pueden responder preguntas en inglés.',
  it: 'Il modello linguistico collegato non ha dato una risposta utilizzabile; senza si può rispondere solo a domande in inglese.',
  pt: 'O modelo de linguagem ligado não deu uma resposta utilizável; sem ele só é possível responder a perguntas em inglês.',
  nl: 'Het verbonden taalmodel gaf geen bruikbaar antwoord; zonder kunnen alleen vragen in het Engels worden beantwoord.',
}

/**
 * Why rules found nothing in a question that is surely not English: what each of them made of its words says nothing to anybody.
 * Undefined where a model had a part in it, or something else went wrong.
 */
export function onlyEnglish({ request, state }: RoleContext, results: readonly AgentResult[]): string | undefined {
  const language = likelyLanguageOf(request.question)
  if (language === undefined || language === 'en') return undefined
  const isWorded = [...state.jobs.values()].some(({ result }) => result !== undefined && isOfModel(result))
  if (isWorded || !results.every(({ error }) => error === undefined || error.type === 'PlanningDeclined'))
    return undefined
  // Asked, and nothing came of it.
  return state.usage.calls > 0 ? (SILENT_SAID[language] ?? SILENT) : (SAID[language] ?? ENGLISH)
}
