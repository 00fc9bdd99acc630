import { styleText } from 'node:util'

export interface Style {
  bold(text: string): string
  dim(text: string): string
  red(text: string): string
  green(text: string): string
  yellow(text: string): string
}

export function createStyle(hasColors: boolean): Style {
  const paint = (format: keyof Style) => (text: string) =>
    // The stream was asked already; without this, Node would look at stdout whichever stream is meant.
    hasColors && text !== '' ? styleText(format, text, { validateStream: false }) : text
  return { bold: paint('bold'), dim: paint('dim'), red: paint('red'), green: paint('green'), yellow: paint('yellow') }
}
