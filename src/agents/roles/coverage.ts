import { Evidence } from '../../language/figures/evidence.ts'
import { toldAssumptions } from '../../language/assumed.ts'
import { figuresIn } from '../../language/figures/read.ts'
import { plainWords } from '../../language/asking-words.ts'
import { citedNumbers } from '../citations.ts'
import { conditionsOf } from '../conditions.ts'
import { isAnswer, type AgentSummary, type ComposeInput } from './composer-prompt.ts'

/** “None”, in the languages of answers. */
const NONE =
  /(?<![\p{L}\p{N}.,])(?:0|zero|no|none|nothing|not|never|nobody|kein\p{L}*|nicht|nichts|null|aucun\p{L}*|pas|rien|zéro|ningun\p{L}*|ningún|nada|cero|nessun\p{L}*|niente|não|nenhum\p{L}*|geen|niet)(?![\p{L}\p{N}]|[.,]\d)/iu

/** Findings of which an answer says nothing, and remarks on what it rests on that it leaves out. */
export function leftOut(answer: string, { question, summaries }: Pick<ComposeInput, 'question' | 'summaries'>) {
  const said = new Evidence({ texts: [answer], tables: [] })
  const findings = summaries.filter((summary) => isAnswer(summary) && !tells(answer, said, summary, question))
  const told = summaries.filter((summary) => isAnswer(summary) && !findings.includes(summary))
  const remarks = told.flatMap(({ basis }) => remarkOn(basis, said))
  return { findings, remarks: [...new Set(remarks)] }
}

/** Whether the answer has a figure, a name, a mark or some words of the finding. */
function tells(
  answer: string,
  said: Evidence,
  { answer: own, sources, preview }: AgentSummary,
  question: string,
): boolean {
  const cells = preview.slice(1).flatMap((row) => row.split(' | '))
  const asked = new Evidence({ texts: [question], tables: [] })
  const figures = figuresIn([own, ...cells].join('\n')).filter((figure) => asked.find(figure) === undefined)
  const zeros = figures.filter((figure) => figure.kind === 'number' && figure.readings[0]!.value === 0)
  if (figures.length > 0 && zeros.length === figures.length) return NONE.test(answer)
  if (figures.some((figure) => said.find(figure) !== undefined)) return true
  // Rounded, as people say it.
  const found = new Evidence({ texts: [own, ...cells], tables: [] })
  if (figuresIn(answer).some((figure) => found.find(figure) !== undefined && asked.find(figure) === undefined))
    return true
  if (cells.some((cell) => /\p{L}{3}/u.test(cell) && said.mentions(cell))) return true
  if (preview.length > 1) return false
  if (citedNumbers(answer).some((n) => sources.some((source) => source.n === n))) return true
  const words = new Set(plainWords(own).filter((word) => word.length > 3 && !question.toLowerCase().includes(word)))
  const written = plainWords(answer).join(' ')
  const shared = [...words].filter((word) => written.includes(word.slice(0, 6)))
  // Of a finding that has no words but those of the question, its figures are all there is to tell.
  if (words.size === 0) return figures.length === 0
  return shared.length >= Math.min(3, Math.ceil(words.size / 4))
}

/** What was assumed and which filters a query has, unless the answer says so. */
function remarkOn(basis: readonly string[], said: Evidence): string[] {
  const assumed = basis.flatMap((line) => (line.startsWith(ASSUMED) ? [line.slice(ASSUMED.length)] : []))
  // The rules say of each condition how it was understood.
  const filters = assumed.length > 0 ? [] : basis.flatMap((line) => (line.startsWith(QUERY) ? conditionsOf(line) : []))
  const [open, kept] = [assumed, filters].map((lines) => lines.filter((line) => !isTold(line, said))) as [
    string[],
    string[],
  ]
  return [
    ...(open.length === 0 ? [] : [toldAssumptions(open)]),
    ...(kept.length === 0 ? [] : [`(Only where ${kept.join(' and ')}.)`]),
  ]
}

const ASSUMED = 'Assumed: '
const QUERY = 'Query: '

function isTold(line: string, said: Evidence): boolean {
  const figures = figuresIn(line.replace(/'([^']*)'/g, '“$1”'))
  if (figures.length > 0) return figures.every((figure) => said.find(figure) !== undefined)
  return plainWords(line)
    .filter((word) => word.length > 3)
    .every((word) => said.mentions(word))
}
