/** What the snippets find in `data`. */
export const NUMERIC_DATA = {
  orders: [
    { id: 1, city: 'Rome', amount: 120.5, day: '2026-01-05' },
    { id: 2, city: 'Oslo', amount: 80, day: '2026-01-20' },
    { id: 3, city: 'Rome', amount: 200, day: '2026-02-11' },
    { id: 4, city: 'Oslo', amount: null, day: '2026-02-14' },
  ],
}

const FRAME = `import pandas as pd, numpy as np
orders = pd.DataFrame(data['orders'])
`

/** Snippets of the kind that models write for numpy and pandas, with the value they come to. */
export const NUMERIC: readonly [name: string, code: string, value: unknown][] = [
  [
    'a frame',
    `${FRAME}orders[['id', 'amount']].head(2)`,
    [
      { id: 1, amount: 120.5 },
      { id: 2, amount: 80 },
    ],
  ],
  ['a filtered frame', `${FRAME}orders[orders.amount > 100][['id']]`, [{ id: 1 }, { id: 3 }]],
  ['what is missing', `${FRAME}orders.tail(1)`, [{ id: 4, city: 'Oslo', amount: null, day: '2026-02-14' }]],
  ['a grouped sum', `${FRAME}orders.groupby('city').amount.sum()`, { Oslo: 80, Rome: 320.5 }],
  [
    'a grouped frame',
    `${FRAME}orders.groupby('city', as_index=False).amount.mean()`,
    [
      { city: 'Oslo', amount: 80 },
      { city: 'Rome', amount: 160.25 },
    ],
  ],
  [
    'several figures',
    `${FRAME}orders.groupby('city').agg({'amount': ['sum', 'count']})`,
    [
      { city: 'Oslo', 'amount sum': 80, 'amount count': 1 },
      { city: 'Rome', 'amount sum': 320.5, 'amount count': 2 },
    ],
  ],
  [
    'a pivot',
    `${FRAME}orders['month'] = pd.to_datetime(orders.day).dt.strftime('%Y-%m')
orders.pivot_table(index='city', columns='month', values='amount', aggfunc='sum')`,
    [
      { city: 'Oslo', '2026-01': 80, '2026-02': 0 },
      { city: 'Rome', '2026-01': 120.5, '2026-02': 200 },
    ],
  ],
  [
    'months',
    `${FRAME}orders.set_index(pd.to_datetime(orders.day)).amount.resample('M').sum()`,
    { '2026-01-31T00:00:00': 200.5, '2026-02-28T00:00:00': 200 },
  ],
  [
    'a merge',
    `${FRAME}pd.merge(orders, pd.DataFrame([{'city': 'Rome', 'country': 'Italy'}]), on='city').country`,
    ['Italy', 'Italy'],
  ],
  [
    'a query',
    `${FRAME}limit = 100
orders.query('amount > @limit').id.tolist()`,
    [1, 3],
  ],
  ['an evaluated column', `${FRAME}orders.eval('amount * 2').dropna().tolist()`, [241, 160, 400]],
  ['dates', `${FRAME}pd.to_datetime(orders.day).max()`, '2026-02-14T00:00:00'],
  ['a span of time', `${FRAME}pd.to_datetime(orders.day).max() - pd.to_datetime(orders.day).min()`, '40 days 00:00:00'],
  [
    'no date',
    `import pandas as pd
[pd.NaT, pd.NA, pd.Timestamp('2026-03-01 12:30')]`,
    [null, null, '2026-03-01T12:30:00'],
  ],
  [
    'categories',
    `import pandas as pd
pd.cut(pd.Series([1, 5, 9]), [0, 4, 8, 12], labels=['low', 'mid', 'high'])`,
    ['low', 'mid', 'high'],
  ],
  ['a description', `${FRAME}orders.amount.describe().round(2)['mean']`, 133.5],
  ['counts', `${FRAME}orders.city.value_counts().to_dict()`, { Rome: 2, Oslo: 2 }],
  [
    'a table of csv',
    `import pandas as pd, io
pd.read_csv(io.StringIO('a,b\\n1,x\\n2,y'))`,
    [
      { a: 1, b: 'x' },
      { a: 2, b: 'y' },
    ],
  ],
  [
    'a file of its own',
    `${FRAME}orders.to_csv('orders.csv', index=False)
len(pd.read_csv('orders.csv'))`,
    4,
  ],
  [
    'an array',
    `import numpy as np
np.arange(6).reshape(2, 3)`,
    [
      [0, 1, 2],
      [3, 4, 5],
    ],
  ],
  [
    'numbers of numpy',
    `import numpy as np
[np.int64(1), np.float32(0.5), np.bool_(True), np.array(7), np.datetime64('2026-01-02')]`,
    [1, 0.5, true, 7, '2026-01-02'],
  ],
  [
    'a product of matrices',
    `import numpy as np
np.array([[1, 2], [3, 4]]) @ np.array([[0, 1], [1, 0]])`,
    [
      [2, 1],
      [4, 3],
    ],
  ],
  [
    'a system of equations',
    `import numpy as np
np.linalg.solve([[2, 0], [0, 4]], [2, 2])`,
    [1, 0.5],
  ],
  [
    'a line through points',
    `import numpy as np
np.polyfit([0, 1, 2], [1, 3, 5], 1).round(6)`,
    [2, 1],
  ],
  [
    'percentiles',
    `import numpy as np
np.percentile([1, 2, 3, 4], [50, 100])`,
    [2.5, 4],
  ],
  [
    'a correlation',
    `import numpy as np
round(float(np.corrcoef([1, 2, 3], [2, 4, 7])[0, 1]), 4)`,
    0.9934,
  ],
  [
    'chance',
    `import numpy as np
float(np.random.default_rng(1).random()) < 1`,
    true,
  ],
  [
    'a Fourier transform',
    `import numpy as np
np.abs(np.fft.fft([1, 0, 0, 0]))`,
    [1, 1, 1, 1],
  ],
  [
    'time zones',
    `import pandas as pd
pd.Timestamp('2026-07-01 12:00', tz='UTC').tz_convert('Europe/Rome').hour`,
    14,
  ],
  [
    'threads',
    `from concurrent.futures import ThreadPoolExecutor
list(ThreadPoolExecutor(2).map(abs, [-1, -2]))`,
    [1, 2],
  ],
  [
    'an event loop',
    `import asyncio
async def f():
    await asyncio.to_thread(len, 'a')
    return await asyncio.gather(asyncio.sleep(0, 1), asyncio.sleep(0, 2))
asyncio.run(f())`,
    [1, 2],
  ],
  [
    'sqlite',
    `import sqlite3
c = sqlite3.connect(':memory:'); c.execute('create table t (a)'); c.execute('insert into t values (41)')
c.execute('select a + 1 from t').fetchone()[0]`,
    42,
  ],
  [
    'counts of years',
    `import pandas as pd
pd.Series([2024, 2023, 2024]).value_counts()`,
    { 2024: 2, 2023: 1 },
  ],
  ['the largest rows', `${FRAME}orders.nlargest(1, 'amount')[['id']]`, [{ id: 3 }]],
  [
    'rows by year',
    `import pandas as pd
pd.DataFrame({'sales': [1, 2]}, index=[2023, 2024])`,
    [
      { index: 2023, sales: 1 },
      { index: 2024, sales: 2 },
    ],
  ],
  [
    'labels that are there twice',
    `import pandas as pd
pd.Series([1, 2], index=['a', 'a'])`,
    [1, 2],
  ],
  [
    'names',
    `import getpass, uuid
[getpass.getuser(), len(str(uuid.uuid1()))]`,
    ['nobody', 36],
  ],
]
