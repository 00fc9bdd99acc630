import type { Program } from '../command.ts'
import { argument } from '../shared-options.ts'
import type { Command } from 'commander'

const SHELLS: Readonly<Record<string, (places: readonly Place[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
}

/** `tutti completion`: a script for the shell, made from the commands as they are declared. */
export function addCompletion({ root, cli, command }: Program): void {
  const shell = argument('<shell>', 'your shell').choices(Object.keys(SHELLS))
  const completion = command(root, 'completion', 'print a completion script for your shell', shell)
  completion.run(async (name: string) => cli.out.write(SHELLS[name]!(commandPlaces(root))))
  completion.addHelp(HOW)
}

const HOW = `
Where "tutti" is on your path:
  echo 'source <(tutti completion bash)' >> ~/.bashrc
  echo 'source <(tutti completion zsh)' >> ~/.zshrc
  tutti completion fish > ~/.config/fish/completions/tutti.fish
In ~/.zshrc the line has to stand below the one with "compinit".`

/** A completion for bash 3.2 and newer. The value of an option, where it is not known, is completed as a file. */
function bashCompletion(places: readonly Place[]): string {
  const known = [...valuesOf(places)].filter(([, values]) => values.length > 0)
  const unknown = [...valuesOf(places)].filter(([, values]) => values.length === 0).map(([flag]) => flag)
  return `_tutti() {
  local here="" word words="" i
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$here $word" in
      ${completionSteps(places).map(quoted).join('|')}) here="\${here:+$here }$word" ;;
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

/** A completion for zsh with `compinit`. The value of an option, where it is not known, is completed as a file. */
function zshCompletion(places: readonly Place[]): string {
  const known = [...valuesOf(places)].filter(([, values]) => values.length > 0)
  const unknown = [...valuesOf(places)].filter(([, values]) => values.length === 0).map(([flag]) => flag)
  const list = (words: readonly string[]): string => words.map(quoted).join(' ')
  return `#compdef tutti
_tutti() {
  local here="" word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$here $word" in
      (${completionSteps(places).map(quoted).join('|')}) here="\${here:+$here }$word" ;;
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

/** A completion for fish, with the descriptions of the help. */
function fishCompletion(places: readonly Place[]): string {
  return `function __tutti_here
  set -l here ''
  for word in (commandline -opc)[2..]
    switch "$here $word"
      case ${completionSteps(places).map(quoted).join(' ')}
        set here (string trim "$here $word")
    end
  end
  test "$here" = "$argv[1]"
end
${places.flatMap(linesOf).join('\n')}
`
}

function linesOf({ path, commands, options, values }: Place): string[] {
  const at = `complete -c tutti -n ${fish(`__tutti_here ${fish(path)}`)}`
  return [
    ...commands.map(({ name, description }) => `${at} -f -a ${name} -d ${fish(description)}`),
    ...(values.length === 0 ? [] : [`${at} -f -a ${fish(values.join(' '))}`]),
    ...options.map(({ flags, takesValue, values, description }) => {
      const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`))
      const value = values.length > 0 ? ` -x -a ${fish(values.join(' '))}` : takesValue ? ' -r' : ''
      return `${at} ${names.join(' ')}${value} -d ${fish(description)}`
    }),
  ]
}

/** In single quotes of fish, where a backslash escapes. */
function fish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`
}

/** What may be typed at one place of the command line. */
interface Place {
  /** The commands before it, such as `runs list`; empty at the start. */
  readonly path: string
  readonly commands: readonly Named[]
  readonly options: readonly Choice[]
  /** What its arguments may be, where that is known. */
  readonly values: readonly string[]
}

interface Named {
  readonly name: string
  readonly description: string
}

interface Choice extends Named {
  /** `--yes`, and `-y` where there is one. */
  readonly flags: readonly string[]
  readonly takesValue: boolean
  /** Its values, where they are known. */
  readonly values: readonly string[]
}

/** Every place of a program, as its help shows it. */
function commandPlaces(command: Command, path = ''): Place[] {
  const help = command.createHelp()
  const commands = help.visibleCommands(command)
  const options = [...help.visibleOptions(command), ...(path === '' ? [] : help.visibleGlobalOptions(command))]
  return [
    {
      path,
      commands: commands.map((one) => ({ name: one.name(), description: one.description() })),
      values: command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
      options: options.map(({ long, short, description, required, optional, argChoices = [] }) => ({
        name: long ?? short!,
        description,
        flags: [long, short].flatMap((flag) => flag ?? []),
        takesValue: required || optional,
        values: argChoices,
      })),
    },
    ...commands
      .filter((one) => command.commands.includes(one))
      .flatMap((one) => commandPlaces(one, `${path} ${one.name()}`.trim())),
  ]
}

/** The places of a command as shells match them: the prefix, a space, the command. */
function completionSteps(places: readonly Place[]): readonly string[] {
  const paths = new Set(places.map(({ path }) => path))
  return places.flatMap(({ path, commands }) =>
    commands.flatMap(({ name }) => (paths.has(`${path} ${name}`.trim()) ? [`${path} ${name}`] : [])),
  )
}

/** Options that take a value, with the values that are known. */
function valuesOf(places: readonly Place[]): ReadonlyMap<string, readonly string[]> {
  const options = places.flatMap((place) => place.options).filter((option) => option.takesValue)
  return new Map(options.flatMap(({ flags, values }) => flags.map((flag) => [flag, values] as const)))
}

/** All words that may come next. */
function wordsAt({ commands, options, values }: Place): readonly string[] {
  return [...commands.map(({ name }) => name), ...values, ...options.flatMap(({ flags }) => flags)]
}

/** In single quotes of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
