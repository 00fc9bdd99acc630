import type { Language } from '../../../knowledge/search/languages.ts'

/** Words that say how something is asked, rather than what. */
export const ASKING_IN: Readonly<Record<Language, string>> = {
  de:
    'wer wen wem wann wo woher wohin warum wieso womit wofür wieviel viele vielen lange hoch groß alt oft schnell weit bitte ' +
    'gibt darf dürfen muss müssen kann können möchte tun tut macht braucht bekommt geschieht passiert gilt gelten beträgt ' +
    'gehört gehören steht dokument erlaubt möglich',
  fr:
    'combien comment pourquoi quand où quoi lequel laquelle est-ce peut peuvent puis doit doivent faut dois a-t il elle on y ' +
    'fait faire dit document permis possible long haut grand temps fois montant après avant pendant depuis selon entre lors',
  es:
    'quién quiénes cuándo cuánto cuántos cuánta cuántas dónde cómo por qué cuál cuáles puede pueden puedo debe deben debo hay ' +
    'hace hacer tiempo documento dice permitido posible largo alto grande',
  it:
    'chi quando quanto quanti quanta quante dove come perché cosa quale quali può possono posso deve devono devo si ' +
    'fa fare tempo documento dice permesso possibile lungo alto grande',
  pt:
    'quem quando quanto quantos quanta quantas onde como porque qual quais pode podem posso deve devem devo há ' +
    'faz fazer tempo documento diz permitido possível longo alto grande',
  nl:
    'wie wanneer hoeveel waar hoe waarom waarmee welke wat mag mogen moet moeten kan kunnen doen gebeurt krijgt geldt ' +
    'document staat toegestaan mogelijk lang hoog groot oud vaak',
}

const word = (...words: readonly string[]): RegExp =>
  new RegExp(String.raw`(?<!\p{L})(?:${words.join('|')})(?!\p{L})`, 'iu')

const ASKS_NUMBER = word(
  String.raw`wie\s?viele?n?|wie\s+(?:lange|hoch|oft|groß|alt|weit|teuer)|combien|cuánt[oa]s?|quant[oiae]s?|hoeveel`,
  String.raw`hoe\s+(?:lang|hoog|vaak|groot|oud|duur)`,
)
/** Also that there is none. */
const NUMBER_IN_WORDS = word(
  String.raw`zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|\p{L}*(?:zehn|zig|hundert|tausend|mal)|keine?[nrms]?|kostenlos|unbegrenzt|unbefristet`,
  String.raw`deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|quinze|vingt|trente|cent|mille|une\s+fois|aucune?|gratuite?s?|illimitée?s?`,
  'dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|quince|veinte|treinta|cien|ciento|una\\s+vez|ningun[oa]?|gratis|gratuit[oaie]s?',
  'due|tre|quattro|cinque|sei|sette|otto|dieci|dodici|quindici|venti|trenta|cento|una\\s+volta|nessun[oa]?',
  'dois|duas|três|quatro|sete|oito|dez|doze|vinte|trinta|cem|uma\\s+vez|nenhuma?',
  'twee|vier|vijf|zes|zeven|negen|tien|twaalf|twintig|dertig|honderd|duizend|eenmaal|geen|onbeperkt',
)
const ASKS_SOMEBODY =
  /(?:^|[,;¿]|\b(?:und|et|y|e|en))\s*(?:wer|wen|wem|wessen|qui|qu[ií]en(?:es)?|chi|quem|wie)(?!\p{L})(?!\s?viel|\s+(?:lange|hoch|oft|gro|alt|weit|teuer))/iu

/** All nouns are written large in German, so that it takes two in a row, a word for people, or the word for whoever does it. */
const GERMAN_PERSON =
  /\p{Ll}\s+\p{Lu}\p{Ll}+\s+\p{Lu}\p{Ll}|(?<!\p{L})(?:Frau|Herrn?|\p{Lu}\p{L}{2,}(?:er|erin|ant|ent|eur|ist|schaft|team|leitung|abteilung|amt)(?:s|n|en|innen)?|wer|jede[rn]?|alle|Sie|wir)(?!\p{L})/u
const PERSON =
  /\p{L}\s+\p{Lu}\p{Ll}|(?<!\p{L})(?:\p{L}{2,}(?:eur|euse|trice|iste|ista|ant|ante|ent|ente|or|ora|tore|er)s?|personnes?|personas?|persone|équipe|service|responsable)(?!\p{L})/u

/** Whether words hold a number or somebody where the question asks for one. */
export function isRightKindElsewhere(language: Language, question: string, text: string): boolean {
  if (ASKS_NUMBER.test(question) && !/\d/.test(text) && !NUMBER_IN_WORDS.test(text)) return false
  return !ASKS_SOMEBODY.test(question) || (language === 'de' ? GERMAN_PERSON : PERSON).test(text)
}

/** Questions that are answered by yes or no: they begin with the verb, or have it before the pronoun. */
export const YES_OR_NO_ELSEWHERE = new RegExp(
  String.raw`^\W*(?:ist|sind|war|hat|haben|habe|kann|können|darf|dürfen|muss|müssen|soll|sollen|wird|werden|gibt|gilt|gelten|` +
    'est-ce|est|sont|peut|peuvent|puis|dois|doit|doivent|faut|a-t|y\\s+a|es|son|está|están|hay|puede|pueden|puedo|debe|deben|tiene|' +
    'tienen|è|sono|può|possono|posso|deve|devono|ha|hanno|pode|podem|devem|tem|têm|é|são|há|mag|mogen|is|zijn|moet|moeten|kan|kunnen|' +
    String.raw`heeft|hebben|wordt)(?!\p{L})|^(?!.*(?:combien|quel|qui|quoi|que|où|quand|comment|pourquoi)(?!\p{L})).*\p{L}-(?:t-)?(?:je|tu|ils?|elles?|on|nous|vous)(?!\p{L})`,
  'iu',
)
/** What may turn a sentence into its opposite. */
export const NEGATION_ELSEWHERE = word(
  String.raw`nicht|keine?[nrms]?|nie|niemals|niemand|nichts|ohne|nur|außer|ausgenommen|sofern|ausschließlich`,
  "ne|n['’]\\p{L}+|pas|jamais|sans|aucune?|sauf|seulement|uniquement",
  'no|ni|nunca|nadie|nada|sin|s[oó]lo|salvo|excepto',
  'non|mai|senza|nessun[oa]?|né|soltanto|eccetto|tranne',
  'não|nem|sem|só|exceto|nenhuma?',
  'niet|geen|nooit|zonder|alleen|behalve',
)
