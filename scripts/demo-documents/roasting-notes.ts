import { list, section, table, type DemoDocument } from './blocks.ts'
import type { Company } from './company.ts'

export function roastingNotes({ person, product }: Company): DemoDocument {
  const name = (coffee: string): string => String(product(coffee)['name'])
  return {
    title: 'Roasting notes',
    subtitle: `Kept by ${person('Head Roaster')}, Head Roaster. Last changed on 12 October 2026.`,
    blocks: [
      ...section(
        'Rules for every batch',
        list(
          'Charge between 60 % and 85 % of the capacity of the drum: 9 kg to 13 kg in the 15 kg roaster.',
          'First crack is called by ear and written down, with time and temperature.',
          'Development time is between 15 % and 22 % of the whole roast.',
          'Coffee rests for 4 days before it is sold as filter and for 8 days before it is sold as espresso.',
        ),
      ),
      ...section(
        'Profiles',
        'Temperatures are those of the bean probe. Colour is measured on the ground coffee.',
        table(
          ['Coffee', 'Charge', 'Drop', 'Time', 'Colour'],
          [name('House Espresso'), '195 °C', '218 °C', '11:40', '58'],
          [name('Harbour Espresso'), '193 °C', '216 °C', '11:20', '61'],
          [name('Dark Slate Roast'), '198 °C', '224 °C', '12:30', '49'],
          [name('Morning Filter'), '188 °C', '208 °C', '9:50', '76'],
          [name('Decaf Espresso'), '182 °C', '214 °C', '10:40', '60'],
        ),
        'House Espresso is dropped at 218 °C after 11 minutes and 40 seconds.',
      ),
      ...section(
        'Seasonal coffees',
        'Winter Blend is roasted from October to January and rests for 10 days. Cold Brew Blend is roasted from May to September; it is ground coarse and never sold whole to offices.',
      ),
      ...section(
        'Faults and what to do',
        'Baked: flat cup, no sweetness. The rate of rise fell to nothing before first crack; give more heat a minute earlier. Scorched: dark spots on the flat side. Charge 5 °C lower. Tipped: burnt ends. Less air in the first three minutes.',
      ),
    ],
  }
}
