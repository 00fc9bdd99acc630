import { quoted, stepsOf, type Place } from './places.ts'

/** A completion for fish, with the descriptions of the help. */
export function fishCompletion(places: readonly Place[]): string {
  return `function __tutti_here
  set -l here ''
  for word in (commandline -opc)[2..]
    switch "$here $word"
      case ${stepsOf(places).map(quoted).join(' ')}
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
