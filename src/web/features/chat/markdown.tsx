import type { Token, Tokens } from 'marked'
import { Fragment, memo, Suspense, useMemo, useState, type ReactNode } from 'react'
import type { AnswerFormat } from '../../../client/run.ts'
import { Code } from '../../ui/code.tsx'
import { lazyComponent } from '../../ui/lazy.tsx'
import { streamedMarkdown } from './streamed-markdown.ts'
import type { MathToken } from './math.ts'
import { OfferedQuestion } from './offered-question.tsx'
import { bareText, FIGURE, UnsupportedFigure } from './unsupported-figures.tsx'

/** Loaded by the first answer that holds one. */
const Formula = lazyComponent(() => import('./formula.tsx'))

/** Draws the mark [n] of a citation; undefined when the answer has no such source. */
export type DrawMark = (n: number) => ReactNode | undefined

/** The text of an answer in its format; plain text if the format is unknown. */
export function Words({ format, ...content }: { text: string; mark: DrawMark; format: AnswerFormat | undefined }) {
  return format === 'markdown' ? <Markdown {...content} /> : <Plain {...content} />
}

/**
 * Renders Markdown. HTML is shown as text and images as their description: no content of an answer is ever loaded.
 * While an answer grows, only its last block is rendered again.
 */
function Markdown({ text, mark }: { text: string; mark: DrawMark }) {
  const [read] = useState(streamedMarkdown)
  const blocks = useMemo(() => read(text), [read, text])
  return (
    <div className="prose">
      {blocks.map((block, at) => (
        <Block key={at} raw={block.raw} token={block} mark={mark} />
      ))}
    </div>
  )
}

/**
 * What rules put together is no Markdown: the values and names of files that are in it are shown to the letter. Only its
 * citations are more than text.
 */
export function Plain({ text, mark }: { text: string; mark: DrawMark }) {
  return (
    <div className="prose">
      {text.split(/(?<=\n)\n+/).map((paragraph, at) => (
        <p key={at} className="whitespace-pre-wrap">
          {paragraph.split(/(?<=\n)/).map((line, place) =>
            line.startsWith('- ') ? (
              <span key={place} className="block pl-3 -indent-3">
                {'- '}
                <OfferedQuestion text={line.slice(2)}>
                  {withMarks(line.slice(2).replace(/\n$/, ''), mark)}
                </OfferedQuestion>
              </span>
            ) : (
              <Fragment key={place}>{withMarks(line, mark)}</Fragment>
            ),
          )}
        </p>
      ))}
    </div>
  )
}

const Block = memo(
  ({ token, mark }: { raw: string; token: Token; mark: DrawMark }) => <>{block(token, mark)}</>,
  (before, after) => before.raw === after.raw && before.mark === after.mark,
)

function block(token: Token, mark: DrawMark): ReactNode {
  switch (token.type) {
    case 'heading': {
      const Tag = (['h2', 'h2', 'h3'] as const)[(token as Tokens.Heading).depth - 1] ?? 'h3'
      return <Tag>{inline(token.tokens, mark)}</Tag>
    }
    case 'paragraph':
      return <p>{inline(token.tokens, mark)}</p>
    case 'blockquote':
      return (
        <blockquote className="border-l-2 border-line-strong pl-3 text-text-2">{blocks(token.tokens, mark)}</blockquote>
      )
    case 'list': {
      const { ordered, items, start } = token as Tokens.List
      const list = items.map((item, at) => (
        <li key={at}>
          <OfferedQuestion text={item.text}>{blocks(item.tokens, mark)}</OfferedQuestion>
        </li>
      ))
      return ordered ? <ol start={Number(start) || 1}>{list}</ol> : <ul>{list}</ul>
    }
    case 'code':
      return <Code text={bareText((token as Tokens.Code).text)} />
    case 'table':
      return table(token as Tokens.Table, mark)
    case 'math':
      return formula(token as MathToken)
    case 'hr':
      return <hr className="border-line" />
    case 'space':
      return null
    case 'text':
      return inline(token.tokens ?? [token], mark)
    default:
      return bareText(token.raw)
  }
}

function formula({ tex, isDisplay, raw }: MathToken): ReactNode {
  const source = bareText(raw.trim())
  return (
    <Suspense fallback={source}>
      <Formula tex={bareText(tex)} isDisplay={isDisplay} source={source} />
    </Suspense>
  )
}

function blocks(tokens: readonly Token[] | undefined, mark: DrawMark): ReactNode {
  return tokens?.map((token, at) => <Fragment key={at}>{block(token, mark)}</Fragment>)
}

function table({ header, rows }: Tokens.Table, mark: DrawMark): ReactNode {
  const cellOf =
    (Cell: 'th' | 'td') =>
    ({ tokens, align }: Tokens.TableCell, at: number) => (
      <Cell key={at} align={align ?? undefined}>
        {inline(tokens, mark)}
      </Cell>
    )
  return (
    <div className="overflow-x-auto">
      <table>
        <thead>
          <tr>{header.map(cellOf('th'))}</tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>{row.map(cellOf('td'))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function inline(tokens: readonly Token[] | undefined, mark: DrawMark): ReactNode {
  return tokens?.map((token, at) => <Fragment key={at}>{piece(token, mark)}</Fragment>)
}

function piece(token: Token, mark: DrawMark): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inline(token.tokens, mark)}</strong>
    case 'em':
      return <em>{inline(token.tokens, mark)}</em>
    case 'del':
      return <del>{inline(token.tokens, mark)}</del>
    case 'codespan':
      return <code>{bareText((token as Tokens.Codespan).text)}</code>
    case 'math':
      return formula(token as MathToken)
    case 'br':
      return <br />
    case 'link': {
      const href = bareText((token as Tokens.Link).href)
      if (!/^(?:https?|mailto):/i.test(href)) return inline(token.tokens, mark)
      return (
        <a href={href} title={href} target="_blank" rel="noopener noreferrer">
          {inline(token.tokens, mark)}
        </a>
      )
    }
    case 'image':
      return bareText((token as Tokens.Image).text)
    case 'escape':
      return (token as Tokens.Escape).text
    case 'text':
      return token.tokens === undefined
        ? withMarks(unescaped((token as Tokens.Text).text), mark)
        : inline(token.tokens, mark)
    default:
      return withMarks(token.raw, mark)
  }
}

/** What the lexer writes as entities in text. */
function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

function withMarks(text: string, mark: DrawMark): ReactNode {
  return text
    .split(FIGURE)
    .map((part, at) => (
      <Fragment key={at}>{at % 2 === 1 ? <UnsupportedFigure text={part} /> : withCitations(part, mark)}</Fragment>
    ))
}

function withCitations(text: string, mark: DrawMark): ReactNode {
  return text.split(/(\[\d{1,3}\])/).map((part, at) => {
    const n = at % 2 === 1 ? Number(part.slice(1, -1)) : undefined
    return <Fragment key={at}>{(n === undefined ? undefined : mark(n)) ?? part}</Fragment>
  })
}
