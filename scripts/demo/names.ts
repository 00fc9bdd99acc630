/** Raw material for invented people and companies. No name here is meant to be a real person or firm. */
export const FIRST_NAMES = (
  'Aoife Bram Camille Dara Elin Fergus Greta Hugo Ines Jonas Katrin Liam Maren Niall Odile Pieter Quentin Róisín Stefan ' +
  'Tilda Ulrik Vera Willem Yara Zeno Anouk Bastian Clodagh Dieter Emer Finn Gwen Henrik Isla Joris Kiera Lars Mirela Nora ' +
  'Oscar Petra Rasmus Saskia Tomas Una Viktor Wiebke Callum Marta Eoin'
).split(' ')

export const LAST_NAMES = (
  'Ashgrove Bellander Corrigane Dalmeer Eskerton Farrowby Gantvoort Hollinshaw Iversund Jorendal Kellaway Lindqvar Mortagne ' +
  'Nordhaven Oakenfull Pellerini Quillane Ravensteyn Sandermoor Tolliver Umberfield Vanderloo Westering Yarrowen Zandvliet ' +
  'Brandmeer Castellon Driscane Ellersby Fontvieux Grevendal Harkness Imberlin Jansevoort Kirkmaiden Lorrimer Marchetty ' +
  'Neumarkt Ostergard Penhallow Rourken Silverlee Tarrant Verbrook Wolfhagen'
).split(' ')

const WORD_STARTS = 'Quill Bram Tor Hal Oss Pen Lin Cor Vel Mar Ster Dun Fal Gren Kes Nor Pell Rav Sel Tam'.split(' ')
const WORD_ENDS = 'ern beck vane driss mere varra drake wick ora hollow stead mond lane quist'.split(' ')

/** Every invented company word, such as "Brambeck". */
export const COMPANY_WORDS = WORD_STARTS.flatMap((start) => WORD_ENDS.map((end) => start + end))

export interface Place {
  readonly country: string
  readonly cities: readonly string[]
  readonly phonePrefix: string
  /** Share of customers. */
  readonly weight: number
}

export const HOME_COUNTRY = 'Ireland'

export const PLACES: readonly Place[] = [
  {
    country: HOME_COUNTRY,
    cities: ['Dublin', 'Cork', 'Galway', 'Limerick', 'Waterford', 'Kilkenny'],
    phonePrefix: '+353',
    weight: 40,
  },
  {
    country: 'United Kingdom',
    cities: ['Belfast', 'Bristol', 'Leeds', 'Edinburgh'],
    phonePrefix: '+44',
    weight: 18,
  },
  { country: 'Germany', cities: ['Hamburg', 'Leipzig', 'Cologne'], phonePrefix: '+49', weight: 14 },
  { country: 'Netherlands', cities: ['Utrecht', 'Rotterdam'], phonePrefix: '+31', weight: 11 },
  { country: 'France', cities: ['Lyon', 'Nantes'], phonePrefix: '+33', weight: 8 },
  { country: 'Belgium', cities: ['Ghent', 'Antwerp'], phonePrefix: '+32', weight: 5 },
  { country: 'Denmark', cities: ['Aarhus', 'Odense'], phonePrefix: '+45', weight: 4 },
]

export interface Segment {
  readonly name: string
  /** How a firm of this kind is called; `*` means the invented word. */
  readonly patterns: readonly string[]
  readonly weight: number
  /** Relative number of orders. */
  readonly appetite: number
}

export const SEGMENTS: readonly Segment[] = [
  { name: 'cafe', patterns: ['Café *', '* Coffee House', '* & Daughters'], weight: 42, appetite: 1.2 },
  { name: 'restaurant', patterns: ['Restaurant *', '* Kitchen', 'The * Table'], weight: 22, appetite: 0.7 },
  { name: 'hotel', patterns: ['Hotel *', '* Grand', '* House Hotel'], weight: 14, appetite: 1.3 },
  { name: 'office', patterns: ['* Software', '* Insurance', '* Architects'], weight: 14, appetite: 0.6 },
  { name: 'retailer', patterns: ['* Foods', '* Market'], weight: 8, appetite: 1 },
]
