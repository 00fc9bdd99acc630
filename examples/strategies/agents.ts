import { defineAgent } from 'tutti'

/** An agent that knows one thing. */
export function knows(name: string, about: string, run: (inputs: readonly string[]) => string) {
  return defineAgent({
    name,
    description: `Knows the ${about}.`,
    capabilities: [about],
    useCases: [`What is the ${about}?`],
    keywords: about.split(' '),
    run: async (task) => ({ answer: run(task.inputs().map(({ result }) => result.answer ?? '')) }),
  })
}

export const stock = knows('stock', 'stock of coffee', () => 'Only 3 bags of coffee are left.')
export const price = knows('price', 'price of tea', () => 'A pound of tea is 4 €.')
