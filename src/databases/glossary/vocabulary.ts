/** Parts of names that say nothing: `tbl_customers`, `dim_date`, `orders_v`. */
export const AFFIXES: ReadonlySet<string> = new Set(
  'tbl tb tab t dim fact fct vw v mst master stg ref lkp lu hdr header'.split(' '),
)

/** Tables that hold one row for each of what the words before say: `service log`, `customer accounts`. */
export const CONTAINERS: ReadonlySet<string> = new Set('account log record entry list register history'.split(' '))

/** Short forms that people write in names, and the words they mean. */
export const ABBREVIATIONS: Readonly<Record<string, string>> = {
  cust: 'customer',
  prod: 'product',
  prd: 'product',
  ord: 'order',
  emp: 'employee',
  dept: 'department',
  addr: 'address',
  inv: 'invoice',
  cat: 'category',
  categ: 'category',
  supp: 'supplier',
  acct: 'account',
  trx: 'transaction',
  txn: 'transaction',
  mgr: 'manager',
  ctry: 'country',
  qty: 'quantity',
  amt: 'amount',
  dt: 'date',
  num: 'number',
  nbr: 'number',
  no: 'number',
  nm: 'name',
  fname: 'first name',
  lname: 'last name',
  fullname: 'full name',
  tel: 'phone',
  descr: 'description',
  desc: 'description',
  proj: 'project',
  hrs: 'hours',
  mins: 'minutes',
  est: 'estimated',
  pct: 'percent',
  stat: 'status',
  sts: 'status',
  prc: 'price',
  dtl: 'detail',
  det: 'detail',
  itm: 'item',
  sal: 'salary',
  cd: 'code',
  cr: 'credit',
  lim: 'limit',
  mth: 'month',
  svc: 'service',
  purch: 'purchase',
  actv: 'active',
  bal: 'balance',
  eq: 'equipment',
  equip: 'equipment',
  lvl: 'level',
  instr: 'instrument',
}

/** What a number counts, where the name of its column ends so: how it is said behind the number. */
export const UNIT_SUFFIXES: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'EUR:eur,euro;USD:usd,dollar;GBP:gbp,pound;CHF:chf;SEK:sek;NOK:nok;DKK:dkk;PLN:pln;CZK:czk;CAD:cad;AUD:aud;JPY:jpy;INR:inr;' +
    'cent:cent;penny:penny;kg:kg,kilogram;g:gram,g;mg:mg;lb:lb,lbs;t:tonne,ton;km:km,kilometre,kilometer;' +
    'm:m,metre,meter;cm:cm;mm:mm;mile:mile,mi;m²:sqm,m2;ft²:sqft;l:litre,liter,l;ml:ml;%:percent;kWh:kwh;kW:kw;MB:mb;GB:gb;' +
    'millisecond:millisecond,ms;second:second,sec;minute:minute,min;hour:hour;day:day;week:week;month:month;year:year'
  )
    .split(';')
    .flatMap((unit) => {
      const [said = '', words = ''] = unit.split(':')
      return words.split(',').map((word) => [word, said])
    }),
)

/** Words for splitting joined names such as `orderdate`. */
export const VOCABULARY: ReadonlySet<string> = new Set(
  (
    'customer client product item order invoice line detail employee staff person user account category genre track song ' +
    'album artist playlist media type supplier vendor payment return refund ticket support address city country state ' +
    'region postal code name first last full middle title email phone fax date time birth hire start end created updated ' +
    'shipped unit price cost total amount quantity discount tax number status description note salary manager department ' +
    'store shop stock weight size length duration rating sale billing shipping percent transaction report rep file ' +
    'delivery due paid active project task team member book author movie film actor student course teacher grade class ' +
    'credit limit balance service log day month pay line rate hire purchase account open in close ' +
    'school hotel room guest booking flight airport airline ticket patient doctor visit company contact'
  ).split(' '),
)

/** Words that mean the same table. The first is only a heading. */
const TABLE_NAMES: readonly (readonly string[])[] = [
  ['customer', 'client', 'buyer', 'shopper', 'purchaser'],
  ['employee', 'staff', 'worker', 'staff member', 'colleague', 'sales rep', 'sales representative', 'sales agent'],
  ['order', 'purchase'],
  ['product', 'article', 'good'],
  ['track', 'song'],
  ['supplier', 'vendor'],
  ['artist', 'band', 'musician'],
  ['album', 'record'],
  ['invoice', 'bill'],
  ['movie', 'film'],
  ['store', 'shop'],
  ['invoice line', 'line item', 'invoice item', 'order line', 'order item', 'order detail', 'invoice detail'],
  ['support ticket', 'ticket'],
  ['media type', 'media format', 'file format'],
  ['category', 'product category'],
]

/** Words that mean the same column. */
const COLUMN_NAMES: readonly (readonly string[])[] = [
  ['email', 'email address', 'mail address'],
  ['phone', 'telephone', 'phone number', 'telephone number'],
  ['postal code', 'zip', 'zip code', 'postcode'],
  ['birth date', 'date of birth', 'birth'],
  ['hire date', 'hiring date', 'date of hire'],
  ['quantity', 'units'],
  ['milliseconds', 'duration', 'length', 'running time', 'playing time'],
  ['seconds', 'duration', 'length'],
  ['minutes', 'duration', 'length', 'runtime'],
  ['bytes', 'size', 'file size'],
  ['unit price', 'price'],
  ['list price', 'price'],
  ['salary', 'wage'],
  ['total', 'amount', 'total amount', 'value', 'total value'],
  ['amount', 'total', 'value'],
  ['total amount', 'total', 'amount', 'value'],
  ['first name', 'given name', 'forename'],
  ['last name', 'surname', 'family name'],
  ['title', 'job title', 'position'],
  ['nation', 'country'],
]

type Synonyms = readonly (readonly (readonly string[])[])[]

/** Groups of names, each name as its words. */
export const TABLE_SYNONYMS: Synonyms = TABLE_NAMES.map((group) => group.map((name) => name.split(' ')))

export const COLUMN_SYNONYMS: Synonyms = COLUMN_NAMES.map((group) => group.map((name) => name.split(' ')))

/** Names of customer tables, in the singular. */
export const BUYERS = ['customer', 'client']
