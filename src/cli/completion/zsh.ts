import { quoted, stepsOf, valuesOf, wordsAt, type Place } from './places.ts'

/** A completion for zsh with `compinit`. The value of an option, where it is not known, is completed as a file. */
export function zshCompletion(places: readonly Place[]): string {
  const known = [...valuesOf(places)].filter(([, values]) => values.length > 0)
  const unknown = [...valuesOf(places)].filter(([, values]) => values.length === 0).map(([flag]) => flag)
  const list = (words: readonly string[]): string => words.map(quoted).join(' ')
  return `#compdef tutti
_tutti() {
  local here="" word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$here $word" in
      (${stepsOf(places).map(quoted).join('|')}) here="\${here:+$here }$word" ;;
    esac
  done
  case "\${words[CURRENT-1]}" in
${known.map(([flag, values]) => `    (${flag}) compadd -- ${list(values)}; return ;;`).join('\n')}
    (${unknown.join('|')}) _files; return ;;
  esac
  case "$here" in
${places.map((place) => `    (${quoted(place.path)}) compadd -- ${list(wordsAt(place))} ;;`).join('\n')}
  esac
  [[ "\${words[CURRENT]}" == -* ]] || _files
}
compdef _tutti tutti
`
}
