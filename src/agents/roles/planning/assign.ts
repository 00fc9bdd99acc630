import type { Agent } from '../../../core/actor.ts'
import {
  asksToAct,
  isQuestionWord,
  isWrittenCall,
  leadOf,
  requestOf,
  startsClause,
  wordsOf,
} from '../../../language/clause-starts.ts'
import { saysThen, type Clause, type Link } from '../../../language/clauses.ts'
import { leansOnName, ofSamePerson, ofSameThing } from './carry.ts'
import { candidatesFor, defaultAgent, isAble, isSource, sideBySide, type Candidate, type Team } from './choose.ts'
import { given } from '../../../core/given.ts'
import { ownersNamed, perCall } from './named.ts'
import { mayChange } from './may-change.ts'
import { mask } from '../../../language/mask.ts'
import { asksForRecords } from './needs.ts'
import {
  asksForFigure,
  asksForLayout,
  asksToCompose,
  isArithmetic,
  isCourtesy,
  isElliptical,
  refersBack,
  refersToAll,
  refersToResults,
} from './references.ts'
import { frontedIn, withThingMeant } from './thing-meant.ts'

/** What an agent does with a part of a question: find something out, work on what was found, or act on it. */
export type Kind = 'find' | 'work' | 'act'

/** A part of a question in the hands of one agent. */
export interface Part {
  readonly agent: Agent
  readonly kind: Kind
  readonly text: string
  /** The clause that it begins with, which may lean on earlier parts; later ones lean on that. */
  readonly head: string
  readonly link: Link
  /** The place in the question that it was taken from. */
  readonly start: number
  readonly end: number
  /** It is to come before the part before it. */
  readonly isBefore?: boolean
  /** Made of the same clause as the part before it, for another source. */
  readonly isTwin?: boolean
  /** Its period or place is that of the part before. */
  readonly isCarried?: boolean
  /** Of several tools that have the name which it says. */
  readonly tools?: readonly string[]
}

/** Gives each clause to the agent that its words speak for, and leaves out what is for the composer. */
export function assign(question: string, clauses: readonly Clause[], team: Team): Part[] {
  const parts: Part[] = []
  const requests = clauses.filter(({ text }) => clauses.length === 1 || !isCourtesy(text))
  const fronted = requests.flatMap((one) => frontedOf(one, team))
  for (const clause of fronted.flatMap((one) => perCall(one, team)).flatMap((one) => splitList(one, team))) {
    for (const said of partsOf(clause, parts, team)) {
      const previous = parts.at(-1)
      const part = placed(said, previous, team)
      if (previous !== undefined && isBesideChange(part, previous, team)) {
        // What its pronoun stands for is told in the part before, which is done by itself.
        parts.push({ ...part, text: withThingMeant(part.text, previous.text) })
      } else addPart(parts, part, question)
    }
  }
  return parts
}

/** “Before you show order 915, cancel it” as two requests, where one of them may change something. */
function frontedOf(clause: Clause, team: Team): readonly Clause[] {
  const [first, second] = frontedIn(clause)
  if (first === undefined || second === undefined) return [clause]
  const before = partsOf(first, [], team)
  const isChange = [...before, ...partsOf(second, before, team)].some((part) => changesWhatIsFound(part, team))
  return isChange ? [first, second] : [clause]
}

/** Letters, too, change something, and are written and sent as one. */
function changesWhatIsFound(part: Part, team: Team): boolean {
  return part.kind === 'find' && mayChange(part, team)
}

/** Of two for one source, one of which may change what is there, each is done, asked about and answered by itself. */
function isBesideChange(part: Part, previous: Part, team: Team): boolean {
  const areOfOne = part.agent === previous.agent && part.kind === 'find' && previous.kind === 'find'
  const isRequest = startsClause(mask(part.text)) || part.isBefore === true
  return areOfOne && isRequest && [part, previous].some((one) => changesWhatIsFound(one, team))
}

/** What is said at the end of when it is to be done. */
const BEHIND =
  /[\s,]+(?:(?<after>after (?:that|this)|afterwards?|thereafter|when done|once done)|before (?:that|this)|beforehand)[\s.!]*$/iu

/** Beside a change such words say when, and are about nothing else; of reading alone they may be about days. */
function placed(part: Part, previous: Part | undefined, team: Team): Part {
  const [behind, after] = BEHIND.exec(part.text) ?? []
  if (behind === undefined || previous === undefined) return part
  const text = part.text.slice(0, -behind.length)
  const bare = { ...part, text, head: text }
  if (![previous, bare].some((one) => mayChange(one, team))) return part
  return { ...bare, ...(after === undefined ? { isBefore: true } : { link: 'then' }) }
}

function partsOf(clause: Clause, before: readonly Part[], team: Team): Part[] {
  const previous = before.at(-1)
  const completed =
    previous?.kind !== 'find'
      ? undefined
      : (ofSamePerson(clause.text, previous.text) ??
        (clause.link === 'and' ? ofSameThing(clause.text, previous.text) : undefined))
  const text = completed ?? clause.text
  const candidates = candidatesFor(text, team)
  const owners = ownersNamed(text, team)
  if (owners !== undefined) {
    return candidates.slice(0, 1).map(({ agent }) => {
      return { ...clause, text, head: text, agent, kind: kindOf(agent, text), ...given({ tools: owners.rivals }) }
    })
  }
  const isOfChange = previous !== undefined && refersBack(text) && changesWhatIsFound(previous, team)
  // “…, and then show it”: what is there after a change nobody has found yet.
  if (previous !== undefined && !isOfChange && isForComposer(text, candidates)) return []
  const twins = sideBySide(text, candidates)
  if (twins !== undefined) {
    return twins.map(([agent, own], i) => {
      return { ...clause, text: own, head: text, agent, kind: 'find', ...(i === 0 ? {} : { isTwin: true }) }
    })
  }
  const agent =
    readerOf(text, previous) ??
    (isOfChange && candidates.every(({ strong }) => strong === 0) ? previous.agent : undefined) ??
    chosen(text, candidates, team) ??
    calculator(text, team) ??
    heir(clause, previous, team) ??
    defaultAgent(team)
  if (agent === undefined) return []
  const own = agent === previous?.agent || previous === undefined ? text : withSubject(text, previous.text)
  const isCarried = completed === undefined ? {} : { isCarried: true }
  return [{ ...clause, text: own, head: own, agent, kind: kindOf(agent, text), ...isCarried }]
}

/** Putting results into words or into shape is nobody else's work, unless another agent's words are in it. */
function isForComposer(text: string, candidates: readonly Candidate[]): boolean {
  if (!asksToCompose(text) || !refersToResults(text)) return false
  return !candidates.some(({ agent, strong }) => strong > 0 && !(isSource(agent) && asksForLayout(text)))
}

/** The best; between a source and who is to work on what it has, at the same rating, the latter: it asks the source. */
function chosen(text: string, [best, ...others]: readonly Candidate[], team: Team): Agent | undefined {
  // “How many orders came by mail?”: a mailbox, or one that is missing, is asked after the one who knows of orders.
  const usual = asksForRecords(text) && !asksToAct(text) ? defaultAgent(team) : undefined
  if (best !== undefined && best.strong > 0 && usual !== undefined && isAble(usual, team.context)) {
    const isManner = best.matches.every(({ start }) => /\b(?:by|via) $/i.test(text.slice(0, start)))
    if (isManner || !isAble(best.agent, team.context)) return usual
  }
  if (best === undefined || !isSource(best.agent) || !asksToAct(text)) return best?.agent
  const worker = others.find(({ agent, strong }) => agent.planning?.worksOnResults === true && strong > 0)
  return worker !== undefined && worker.rating >= best.rating ? worker.agent : best.agent
}

/** “how many were paid out?” after “… about refunds”, of another agent: “how many refunds were paid out?”. */
function withSubject(text: string, previous: string): string {
  const subject = wordsOf(mask(previous)).findLast((word) => /[^aius]s$/.test(word) && word.length > 3)
  if (subject === undefined || !isElliptical(text)) return text
  return text.replace(/^(\W*how (?:many|much))(?: of (?:them|these|those))?\b/i, `$1 ${subject}`)
}

/** What an agent does with these words. */
export function kindOf(agent: Agent, text: string): Kind {
  const passesOn = asksToCompose(text) && (refersToResults(text) || refersToAll(text))
  if (agent.planning?.acts === true) return asksToAct(text) || passesOn ? 'act' : 'find'
  return agent.planning?.worksOnResults === true ? 'work' : 'find'
}

/** A clause without a word for anybody goes on with what was just asked, unless it wants a figure or is a new sentence. */
function heir({ text, link }: Clause, previous: Part | undefined, team: Team): Agent | undefined {
  if (previous === undefined) return undefined
  const leans = refersBack(text) || isElliptical(text)
  // Whoever drafts a mail is not asked what the price was.
  if (previous.kind === 'act') return leans && asksToAct(text) ? previous.agent : undefined
  const isOrder = !isQuestionWord(leadOf(text)) && asksForRecords(text)
  const isOthers = (asksForFigure(text) || isOrder) && previous.agent !== defaultAgent(team)
  if (leans && !(isOthers && (!isElliptical(text) || withSubject(text, previous.text) !== text))) return previous.agent
  // What is called is told in full: a question behind it is none of the tool's.
  if (isWrittenCall(previous.text)) return undefined
  // “… and look up our prices”: an order to fetch records. In a question such words may be about anything.
  return link === 'sentence' || asksForFigure(text) || isOrder ? undefined : previous.agent
}

const NAMED_FILE = /[\p{L}\p{N}_-]\.\p{L}[\p{L}\p{N}]{0,7}(?![\p{L}\p{N}])|[\p{L}\p{N}_-]\/[\p{L}\p{N}_.-]/u
const SAYS = 'name|mention|list|say|state|contain|hold|tell of|speak of'
const SAID_OF_IT = new RegExp(
  String.raw`\b(?:it|the (?:file|text))(?: also)? (?:${SAYS})s?\b|\b(?:in|of) (?:it|the (?:file|text))\b`,
  'i',
)

/** “Read notes.txt. How many orders does it name?”: of the file, whoever else knows of orders. */
function readerOf(text: string, previous: Part | undefined): Agent | undefined {
  const isOfIt = previous?.kind === 'find' && NAMED_FILE.test(previous.text) && SAID_OF_IT.test(text)
  return isOfIt && refersToResults(text) && !asksToAct(text) ? previous.agent : undefined
}

const ARITHMETIC =
  /^(?:add (?:them |it |these |those )?up|add|sum up|total up|subtract|divide|multiply|convert|square)\b/i

const PERCENT_OF = /\d\s*(?:%|percent) of\b/i

/** Who adds up and converts when nobody says so of themself: the first of those that work on results. */
function calculator(text: string, { agents, context }: Team): Agent | undefined {
  const isSum = ARITHMETIC.test(requestOf(text)) && (refersToResults(text) || /\d/.test(text))
  const isBare = isArithmetic(text) && !/\p{L}{2}/u.test(text)
  if (!isSum && !isBare && !PERCENT_OF.test(text)) return undefined
  const workers = agents.filter((agent) => agent.planning?.worksOnResults === true && agent.planning?.acts !== true)
  return workers
    .filter((agent) => isAble(agent, context))
    .sort((a, b) => (a.planning?.rank ?? 100) - (b.planning?.rank ?? 100))[0]
}

/** Neighbours of one agent become one part when the second cannot be understood without the first. */
function addPart(parts: Part[], part: Part, question: string): void {
  const previous = parts.at(-1)
  const isOne =
    previous !== undefined &&
    previous.agent === part.agent &&
    previous.isTwin !== true &&
    part.isTwin !== true &&
    previous.kind === part.kind &&
    (leansOn(part) || leansOnName(part.text, previous.text))
  if (!isOne) return void parts.push(part)
  const text = question.slice(previous.start, part.end)
  parts[parts.length - 1] = { ...previous, text, end: part.end }
}

function leansOn(part: Part): boolean {
  if (refersBack(part.text) || isElliptical(part.text)) return true
  if (part.kind === 'work' && refersToResults(part.text)) return true
  if (part.link === 'sentence') return false
  // “…, extract the clause”: more of the same, though nothing says so.
  if (PROCESSING.has(leadOf(part.text))) return true
  // Work in several steps is one piece of code.
  return part.kind === 'work'
}

const PROCESSING = new Set('extract sort rank filter group order highlight quote cite add translate rewrite'.split(' '))

const LIST_JOINT = /(?<!\s)(?:\s*,)?\s+and\s+|(?<!\s)\s*,\s+/gi
const LEAD_IN =
  /^(?:(?:please\s+)?(?:what|which|who)\s+(?:is|are|was|were)|(?:please\s+)?(?:find|show|list|get|give|tell|look up|look for|look at|search for|search|check|read|fetch|i need|i want|we need|need)(?:\s+(?:me|us))?)\s+/i

/**
 * “What is our returns policy and the number of open tickets?”: two things for two sources behind one verb. Split where
 * the words of each side speak for a source of its own, and for that alone.
 */
function splitList(clause: Clause, team: Team): Clause[] {
  const masked = mask(clause.text)
  const lead = LEAD_IN.exec(masked)?.[0]
  // “my docs and the web for prices”: two places, one thing.
  if (lead === undefined || sideBySide(clause.text, candidatesFor(clause.text, team)) !== undefined) return [clause]
  for (const match of masked.matchAll(LIST_JOINT)) {
    const end = match.index + match[0].length
    const [left, rest] = [clause.text.slice(0, match.index), clause.text.slice(end)]
    if (startsClause(rest) || /^(?:in|on|from|at|by|with|of|to|for)\b/i.test(rest)) continue
    const right = `${clause.text.slice(0, lead.length)}${rest}`
    const [one, ...more] = sourcesOf(left, team)
    const others = sourcesOf(right, team)
    if (one === undefined || more.length > 0 || others.length === 0 || others.includes(one)) continue
    const first = { ...clause, text: left, end: clause.start + match.index }
    const link = saysThen(rest) ? 'then' : 'and'
    return [first, ...splitList({ text: right, link, start: clause.start + end, end: clause.end }, team)]
  }
  return [clause]
}

/** The sources that a text strongly speaks for; the default agent for a figure. */
function sourcesOf(text: string, team: Team): Agent[] {
  const strong = candidatesFor(requestOf(text), team, isSource).filter((candidate) => candidate.strong > 0)
  const figures = asksForFigure(text) ? defaultAgent(team) : undefined
  return strong.length > 0 || figures === undefined ? strong.map(({ agent }) => agent) : [figures]
}
