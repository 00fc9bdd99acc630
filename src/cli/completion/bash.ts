import { quoted, stepsOf, valuesOf, wordsAt, type Place } from './places.ts'

/** A completion for bash 3.2 and newer. The value of an option, where it is not known, is completed as a file. */
export function bashCompletion(places: readonly Place[]): string {
  const known = [...valuesOf(places)].filter(([, values]) => values.length > 0)
  const unknown = [...valuesOf(places)].filter(([, values]) => values.length === 0).map(([flag]) => flag)
  return `_tutti() {
  local here="" word words="" i
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$here $word" in
      ${stepsOf(places).map(quoted).join('|')}) here="\${here:+$here }$word" ;;
    esac
  done
  case "$prev" in
${known.map(([flag, values]) => `    ${flag}) COMPREPLY=($(compgen -W ${quoted(values.join(' '))} -- "$cur")); return ;;`).join('\n')}
    ${unknown.join('|')}) return ;;
  esac
  case "$here" in
${places.map((place) => `    ${quoted(place.path)}) words=${quoted(wordsAt(place).join(' '))} ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _tutti tutti
`
}
