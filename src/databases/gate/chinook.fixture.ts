import type { ColumnKind, DatabaseSchema, Dialect, TableSchema } from '../schema.ts'

/** A music shop in the manner of the Chinook sample database, for the gate's tests. */
const TABLES: Readonly<Record<string, string>> = {
  artist: 'artist_id:number name:text',
  album: 'album_id:number title:text artist_id:number',
  genre: 'genre_id:number name:text',
  track:
    'track_id:number name:text album_id:number genre_id:number composer:text milliseconds:number unit_price:number attrs:json',
  employee: 'employee_id:number last_name:text title:text reports_to:number hire_date:datetime',
  customer: 'customer_id:number first_name:text country:text email:text support_rep_id:number update:text',
  invoice: 'invoice_id:number customer_id:number invoice_date:datetime billing_country:text total:number',
  invoice_line: 'invoice_line_id:number invoice_id:number track_id:number unit_price:number quantity:number',
}

const SQL_TYPES: Readonly<Record<string, string>> = {
  number: 'numeric',
  text: 'text',
  datetime: 'timestamp',
  json: 'jsonb',
}

function table(name: string, columns: string, extra: Partial<TableSchema> = {}): TableSchema {
  return {
    name,
    kind: 'table',
    columns: columns.split(' ').map((column, index) => {
      const [columnName = '', kind = 'text'] = column.split(':')
      const type = SQL_TYPES[kind] ?? 'text'
      return { name: columnName, type, kind: kind as ColumnKind, nullable: true, primaryKey: index === 0 }
    }),
    foreignKeys: [],
    ...extra,
  }
}

/** The shop, with a view `revenue`, the table `secret` beside what tests allow, and on PostgreSQL a second schema. */
export function chinook(dialect: Dialect): DatabaseSchema {
  return {
    name: 'chinook',
    dialect,
    tables: [
      ...Object.entries(TABLES).map(([name, columns]) => table(name, columns)),
      table('revenue', 'country:text total:number', { kind: 'view' }),
      table('secret', 'id:number password:text'),
      ...(dialect === 'postgres' ? [table('budget', 'year:number amount:number', { schema: 'finance' })] : []),
    ],
  }
}

/** Everything but `secret`. */
export function allowedTables(dialect: Dialect): string[] {
  return [...Object.keys(TABLES), 'revenue', ...(dialect === 'postgres' ? ['finance.budget'] : [])]
}
