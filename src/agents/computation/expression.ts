import {
  add,
  divide,
  HUNDRED,
  multiply,
  negate,
  NoAnswer,
  ONE,
  power,
  squareRoot,
  subtract,
  parseDecimal,
  type Rational,
} from './rational.ts'

interface Term {
  readonly value: Rational
  /** Written with a percent sign, as in `200 + 10%`. */
  readonly percent?: Rational
}

/** Digits with at most one exponent, operators, and any other character, which no rule accepts. */
const PIECE = /\s*(\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|\*\*|[-+*/^()%]|[a-z]+|\S)/iy
const NUMBER = /^[\d.]/

/**
 * Evaluates arithmetic exactly: `+ - * / ^ ** ( )`, `sqrt`, `10%` and `10% of`. Undefined for a text that
 * is no expression.
 * @throws NoAnswer for an undefined result, such as a division by zero
 */
export function evaluateExpression(text: string): Rational | undefined {
  const parser = new Parser(piecesOf(text))
  const term = parser.sum()
  return parser.isDone ? term?.value : undefined
}

function piecesOf(text: string): string[] {
  const pieces: string[] = []
  PIECE.lastIndex = 0
  for (let match = PIECE.exec(text); match !== null; match = PIECE.exec(text)) {
    pieces.push(match[1] === '**' ? '^' : match[1]!.toLowerCase())
  }
  return pieces
}

/** Longer towers would overflow the stack. */
const MAX_DEPTH = 100

class Parser {
  readonly #pieces: readonly string[]
  #at = 0
  #depth = 0

  constructor(pieces: readonly string[]) {
    this.#pieces = pieces
  }

  get isDone(): boolean {
    return this.#at === this.#pieces.length
  }

  sum(): Term | undefined {
    let left = this.#product()
    while (left !== undefined) {
      const sign = this.#take('+', '-')
      if (sign === undefined) return left
      const right = this.#product()
      if (right === undefined) return undefined
      left = plus(left, right, sign === '+' ? add : subtract)
    }
    return left
  }

  #product(): Term | undefined {
    let left = this.#signed()
    while (left !== undefined) {
      const sign = this.#take('*', '/', 'of')
      if (sign === undefined) return left
      // `of` is for percentages alone: "10% of 50".
      if (sign === 'of' && left.percent === undefined) return undefined
      const right = this.#signed()
      if (right === undefined) return undefined
      left = { value: (sign === '/' ? divide : multiply)(left.value, right.value) }
    }
    return left
  }

  #signed(): Term | undefined {
    if (++this.#depth > MAX_DEPTH) throw new NoAnswer('The expression is nested too deeply.')
    try {
      if (this.#take('-') === undefined) return this.#raised()
      const term = this.#signed()
      return term && { value: negate(term.value) }
    } finally {
      this.#depth--
    }
  }

  #raised(): Term | undefined {
    const base = this.#postfixed()
    if (base === undefined) return undefined
    if (this.#take('^') === undefined) return base
    const exponent = this.#signed()
    return exponent && { value: power(base.value, exponent.value) }
  }

  #postfixed(): Term | undefined {
    const term = this.#atom()
    if (term === undefined) return undefined
    if (this.#take('%') === undefined) return term
    return { value: divide(term.value, HUNDRED), percent: term.value }
  }

  #atom(): Term | undefined {
    if (this.#take('sqrt') !== undefined) {
      const term = this.#pieces[this.#at] === '-' ? this.#signed() : this.#postfixed()
      return term && { value: squareRoot(term.value) }
    }
    if (this.#take('(') !== undefined) {
      const term = this.sum()
      return term === undefined || this.#take(')') === undefined ? undefined : term
    }
    const piece = this.#pieces[this.#at]
    const value = piece !== undefined && NUMBER.test(piece) ? parseDecimal(piece) : undefined
    if (value === undefined) return undefined
    this.#at++
    return { value }
  }

  #take(...wanted: readonly string[]): string | undefined {
    const piece = this.#pieces[this.#at]
    if (piece === undefined || !wanted.includes(piece)) return undefined
    this.#at++
    return piece
  }
}

/** `200 + 10%` adds ten percent of 200, as on a pocket calculator. */
function plus(left: Term, right: Term, operation: typeof add): Term {
  const isShare = right.percent !== undefined && left.percent === undefined
  return {
    value: isShare ? multiply(left.value, operation(ONE, right.value)) : operation(left.value, right.value),
  }
}
