import { Argument, type Command } from 'commander'
import type { Program } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { bashCompletion } from '../completion/bash.ts'
import { fishCompletion } from '../completion/fish.ts'
import { placesOf, type Place } from '../completion/places.ts'
import { zshCompletion } from '../completion/zsh.ts'

const SHELLS: Readonly<Record<string, (places: readonly Place[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
}

/** `tutti completion`: a script for the shell, made from the commands as they are declared. */
export function addCompletion({ root, cli, run }: Program): void {
  root
    .command('completion')
    .description('print a script that completes commands and options in your shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(Object.keys(SHELLS)))
    .addHelpText('after', HOW)
    .action(
      run(async (shell: string) => {
        cli.out.write(SHELLS[shell]!(placesOf(root as Command)))
        return EXIT.ok
      }),
    )
}

const HOW = `
Where "tutti" is on your path:
  echo 'source <(tutti completion bash)' >> ~/.bashrc
  echo 'source <(tutti completion zsh)' >> ~/.zshrc
  tutti completion fish > ~/.config/fish/completions/tutti.fish
In ~/.zshrc the line has to stand below the one with "compinit".`
