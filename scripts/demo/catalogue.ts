/** What the firm sells and whom it buys from. Prices are in euro cents. */
export interface CatalogueCategory {
  readonly name: string
  readonly parent?: string
  readonly skuPrefix?: string
  readonly unit?: string
  /** Pieces per order line, from and to. */
  readonly quantity?: readonly [number, number]
  readonly reorderLevel?: number
}

export const CATEGORIES: readonly CatalogueCategory[] = [
  { name: 'Coffee' },
  { name: 'Equipment' },
  { name: 'Supplies' },
  { name: 'Single Origin', parent: 'Coffee', skuPrefix: 'SO', unit: '1 kg bag', quantity: [4, 36], reorderLevel: 120 },
  { name: 'Blends', parent: 'Coffee', skuPrefix: 'BL', unit: '1 kg bag', quantity: [8, 60], reorderLevel: 220 },
  { name: 'Decaf', parent: 'Coffee', skuPrefix: 'DC', unit: '1 kg bag', quantity: [3, 16], reorderLevel: 60 },
  { name: 'Espresso Machines', parent: 'Equipment', skuPrefix: 'EM', unit: 'piece', quantity: [1, 1], reorderLevel: 3 },
  { name: 'Grinders', parent: 'Equipment', skuPrefix: 'GR', unit: 'piece', quantity: [1, 2], reorderLevel: 6 },
  { name: 'Brewers', parent: 'Equipment', skuPrefix: 'BR', unit: 'piece', quantity: [1, 5], reorderLevel: 12 },
  { name: 'Barista Tools', parent: 'Equipment', skuPrefix: 'BT', unit: 'piece', quantity: [1, 8], reorderLevel: 20 },
  {
    name: 'Filters and Papers',
    parent: 'Supplies',
    skuPrefix: 'FP',
    unit: 'box of 100',
    quantity: [4, 30],
    reorderLevel: 80,
  },
  {
    name: 'Cups and Lids',
    parent: 'Supplies',
    skuPrefix: 'CL',
    unit: 'case of 500',
    quantity: [2, 16],
    reorderLevel: 70,
  },
  { name: 'Cleaning', parent: 'Supplies', skuPrefix: 'CN', unit: 'pack', quantity: [2, 10], reorderLevel: 40 },
  { name: 'Tea and Chocolate', parent: 'Supplies', skuPrefix: 'TC', unit: 'tin', quantity: [2, 14], reorderLevel: 40 },
]

export interface CatalogueSupplier {
  readonly name: string
  readonly country: string
  readonly leadTimeDays: number
}

export const SUPPLIERS: readonly CatalogueSupplier[] = [
  { name: 'Cooperativa Alto Verano', country: 'Colombia', leadTimeDays: 35 },
  { name: 'Finca Lluvia Clara', country: 'Guatemala', leadTimeDays: 38 },
  { name: 'Yirgamo Growers Union', country: 'Ethiopia', leadTimeDays: 45 },
  { name: 'Fazenda Pedra Lisa', country: 'Brazil', leadTimeDays: 32 },
  { name: 'Kirimara Estates', country: 'Kenya', leadTimeDays: 42 },
  { name: 'Sunda Ridge Traders', country: 'Indonesia', leadTimeDays: 48 },
  { name: 'Macchine Vetrano', country: 'Italy', leadTimeDays: 24 },
  { name: 'Grindhelm Mühlenbau', country: 'Germany', leadTimeDays: 18 },
  { name: 'Nordbryg', country: 'Denmark', leadTimeDays: 14 },
  { name: 'Papierwerk Elzing', country: 'Netherlands', leadTimeDays: 10 },
  { name: 'Kubelko Packaging', country: 'Poland', leadTimeDays: 12 },
  { name: 'Klarmeer Chemie', country: 'Germany', leadTimeDays: 9 },
  { name: 'Hanamori Trading', country: 'Japan', leadTimeDays: 40 },
  { name: 'Cacao Verapal', country: 'Guatemala', leadTimeDays: 38 },
]

export interface CatalogueProduct {
  readonly name: string
  readonly category: string
  readonly supplier: string
  readonly listPrice: number
  readonly unitCost: number
  /** Relative number of order lines. */
  readonly popularity: number
  readonly introducedOn?: string
  readonly discontinuedOn?: string
  /** The part of the year in which it sells best. */
  readonly season?: 'summer' | 'winter'
}

type Line = readonly [
  name: string,
  supplier: string,
  listPrice: number,
  unitCost: number,
  popularity: number,
  more?: Pick<CatalogueProduct, 'introducedOn' | 'discontinuedOn' | 'season'>,
]

const LINES: Readonly<Record<string, readonly Line[]>> = {
  'Single Origin': [
    ['Huila Washed', 'Cooperativa Alto Verano', 2490, 1410, 40],
    ['Nariño Honey', 'Cooperativa Alto Verano', 2790, 1620, 18],
    ['Antigua Bourbon', 'Finca Lluvia Clara', 2650, 1530, 26],
    ['Cobán Reserve', 'Finca Lluvia Clara', 3150, 1900, 8, { introducedOn: '2024-09-02' }],
    ['Sidama Natural', 'Yirgamo Growers Union', 2890, 1680, 34],
    ['Guji Washed', 'Yirgamo Growers Union', 2950, 1720, 22],
    ['Cerrado Pulped Natural', 'Fazenda Pedra Lisa', 2190, 1230, 38],
    ['Sul de Minas', 'Fazenda Pedra Lisa', 2090, 1180, 24, { discontinuedOn: '2025-11-28' }],
    ['Nyeri AA', 'Kirimara Estates', 3290, 2010, 20],
    ['Embu Peaberry', 'Kirimara Estates', 3590, 2240, 6, { introducedOn: '2025-04-07' }],
    ['Gayo Highland', 'Sunda Ridge Traders', 2590, 1490, 14],
    ['Toraja Wet-Hulled', 'Sunda Ridge Traders', 2750, 1590, 9],
  ],
  Blends: [
    ['House Espresso', 'Fazenda Pedra Lisa', 1990, 1090, 80],
    ['Harbour Espresso', 'Fazenda Pedra Lisa', 2090, 1150, 56],
    ['Dark Slate Roast', 'Sunda Ridge Traders', 1950, 1080, 44],
    ['Morning Filter', 'Cooperativa Alto Verano', 2050, 1140, 52],
    ['Winter Blend', 'Finca Lluvia Clara', 2250, 1260, 20, { season: 'winter' }],
    ['Office Crema', 'Fazenda Pedra Lisa', 1690, 960, 36],
    ['Cold Brew Blend', 'Cooperativa Alto Verano', 2150, 1200, 16, { introducedOn: '2024-04-15', season: 'summer' }],
    ['Festival Espresso', 'Yirgamo Growers Union', 2350, 1340, 10, { discontinuedOn: '2025-06-30' }],
  ],
  Decaf: [
    ['Decaf Huila', 'Cooperativa Alto Verano', 2690, 1580, 22],
    ['Decaf Espresso', 'Fazenda Pedra Lisa', 2290, 1330, 26],
  ],
  'Espresso Machines': [
    ['Vetrano Uno, one group', 'Macchine Vetrano', 349_000, 252_000, 18],
    ['Vetrano Duo, two groups', 'Macchine Vetrano', 689_000, 498_000, 14],
    ['Vetrano Trio, three groups', 'Macchine Vetrano', 985_000, 721_000, 5],
    ['Vetrano Ufficio, bean to cup', 'Macchine Vetrano', 215_000, 149_000, 20, { introducedOn: '2024-06-03' }],
  ],
  Grinders: [
    ['Grindhelm G40', 'Grindhelm Mühlenbau', 42_900, 29_100, 24],
    ['Grindhelm G64 On Demand', 'Grindhelm Mühlenbau', 89_900, 62_000, 28],
    ['Grindhelm G83 Titan', 'Grindhelm Mühlenbau', 164_900, 118_000, 11],
    ['Grindhelm Shop Mill', 'Grindhelm Mühlenbau', 121_500, 86_500, 8, { discontinuedOn: '2026-03-31' }],
  ],
  Brewers: [
    ['Nordbryg Batch 5', 'Nordbryg', 64_900, 45_200, 16],
    ['Nordbryg Thermo Server', 'Nordbryg', 11_900, 7_300, 34],
    ['Pour-Over Stand', 'Nordbryg', 7_950, 4_450, 30],
    ['Glass Dripper Set', 'Nordbryg', 3_450, 1_820, 44],
    ['Cold Brew Tower', 'Nordbryg', 28_900, 19_400, 15, { introducedOn: '2024-04-15', season: 'summer' }],
  ],
  'Barista Tools': [
    ['Precision Tamper 58 mm', 'Macchine Vetrano', 4_590, 2_480, 30],
    ['Milk Jug 600 ml', 'Macchine Vetrano', 2_290, 1_150, 60],
    ['Knock Box', 'Macchine Vetrano', 3_890, 2_050, 25],
    ['Brewing Scale', 'Nordbryg', 8_990, 5_490, 28],
    ['Thermometer', 'Nordbryg', 1_490, 690, 26],
  ],
  'Filters and Papers': [
    ['Batch Filter Papers', 'Papierwerk Elzing', 890, 420, 40],
    ['Dripper Papers No. 2', 'Papierwerk Elzing', 690, 310, 30],
    ['Espresso Puck Screens', 'Macchine Vetrano', 2_490, 1_320, 6, { introducedOn: '2025-01-13' }],
  ],
  'Cups and Lids': [
    ['Paper Cup 200 ml', 'Kubelko Packaging', 3_990, 2_480, 34],
    ['Paper Cup 350 ml', 'Kubelko Packaging', 4_790, 3_020, 30],
    ['Compostable Lid', 'Kubelko Packaging', 3_290, 2_010, 32],
    ['Plastic Lid', 'Kubelko Packaging', 2_490, 1_490, 20, { discontinuedOn: '2024-12-31' }],
  ],
  Cleaning: [
    ['Machine Cleaner 900 g', 'Klarmeer Chemie', 1_590, 790, 34],
    ['Grinder Tablets', 'Klarmeer Chemie', 2_190, 1_180, 22],
    ['Milk Line Rinse', 'Klarmeer Chemie', 1_390, 690, 20],
    ['Descaler', 'Klarmeer Chemie', 1_190, 560, 26],
  ],
  'Tea and Chocolate': [
    ['Sencha Leaf 500 g', 'Hanamori Trading', 2_890, 1_640, 10],
    ['Genmaicha Leaf 500 g', 'Hanamori Trading', 2_690, 1_530, 6],
    ['Matcha 100 g', 'Hanamori Trading', 3_490, 2_080, 12, { introducedOn: '2024-02-05' }],
    ['Drinking Chocolate 1 kg', 'Cacao Verapal', 1_890, 1_080, 18, { season: 'winter' }],
  ],
}

export const PRODUCTS: readonly CatalogueProduct[] = Object.entries(LINES).flatMap(([category, lines]) =>
  lines.map(([name, supplier, listPrice, unitCost, popularity, more = {}]) => ({
    name,
    category,
    supplier,
    listPrice,
    unitCost,
    popularity,
    ...more,
  })),
)
