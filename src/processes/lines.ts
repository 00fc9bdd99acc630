import type { Readable } from 'node:stream'

/** Splits the output of a process into lines. @param max maximum of characters in total; the rest is ignored */
export function readLines(stream: Readable, max: number, onLine: (line: string) => void, onTooMuch: () => void): void {
  let remaining = max
  // Pieces of the current line. Searching the whole line again for each piece would take quadratic time.
  let pieces: string[] = []
  stream.setEncoding('utf8')
  stream.on('data', (piece: string) => {
    remaining -= piece.length
    if (remaining < 0) return onTooMuch()
    const lines = piece.split('\n')
    const rest = lines.pop()!
    for (const line of lines) {
      const text = pieces.join('') + line
      pieces = []
      onLine(text)
    }
    if (rest !== '') pieces.push(rest)
  })
}
