import type { Readable } from 'node:stream'

/**
 * Takes apart what a process says into lines.
 * @param most characters in all; what comes after them is not looked at
 */
export function readLines(stream: Readable, most: number, onLine: (line: string) => void, onTooMuch: () => void): void {
  let left = most
  // Of one line: looking for its end in all of it, piece by piece, would take quadratic time.
  let pieces: string[] = []
  stream.setEncoding('utf8')
  stream.on('data', (piece: string) => {
    left -= piece.length
    if (left < 0) return onTooMuch()
    const lines = piece.split('\n')
    const rest = lines.pop()!
    for (const line of lines) {
      const whole = pieces.join('') + line
      pieces = []
      onLine(whole)
    }
    if (rest !== '') pieces.push(rest)
  })
}
