import type { Command } from 'commander'

/** What may be typed at one place of the command line. */
export interface Place {
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

export interface Choice extends Named {
  /** `--yes`, and `-y` where there is one. */
  readonly flags: readonly string[]
  readonly takesValue: boolean
  /** Its values, where they are known. */
  readonly values: readonly string[]
}

/** Every place of a program, as its help shows it. */
export function commandPlaces(command: Command, path = ''): Place[] {
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
export function completionSteps(places: readonly Place[]): readonly string[] {
  const paths = new Set(places.map(({ path }) => path))
  return places.flatMap(({ path, commands }) =>
    commands.flatMap(({ name }) => (paths.has(`${path} ${name}`.trim()) ? [`${path} ${name}`] : [])),
  )
}

/** Options that take a value, with the values that are known. */
export function valuesOf(places: readonly Place[]): ReadonlyMap<string, readonly string[]> {
  const options = places.flatMap((place) => place.options).filter((option) => option.takesValue)
  return new Map(options.flatMap(({ flags, values }) => flags.map((flag) => [flag, values] as const)))
}

/** All words that may come next. */
export function wordsAt({ commands, options, values }: Place): readonly string[] {
  return [...commands.map(({ name }) => name), ...values, ...options.flatMap(({ flags }) => flags)]
}

/** In single quotes of a POSIX shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
