/** Code of the kind that models write, and the value that it must give. Rows of `data` are those of `HONEST_DATA`. */
export const HONEST_DATA = {
  orders: [
    { id: 1, customer: 'Ada', amount: 120.5, day: '2026-01-03', status: 'open' },
    { id: 2, customer: 'Bob', amount: 80, day: '2026-01-15', status: 'paid' },
    { id: 3, customer: 'Ada', amount: 300.25, day: '2026-02-01', status: 'paid' },
    { id: 4, customer: 'Cyd', amount: 45.25, day: '2026-02-20', status: 'open' },
  ],
}

export const HONEST: readonly (readonly [name: string, code: string, value: unknown])[] = [
  ['arithmetic', `17 * 23 + 4`, 395],
  ['named result', `subtotal = 19.99 * 3\nresult = round(subtotal * 1.19, 2)`, 71.36],
  ['sum over data', `sum(row['amount'] for row in data['orders'])`, 546],
  [
    'group by',
    `from collections import defaultdict
totals = defaultdict(float)
for row in data['orders']:
    totals[row['customer']] += row['amount']
dict(sorted(totals.items()))`,
    { Ada: 420.75, Bob: 80, Cyd: 45.25 },
  ],
  [
    'share',
    `open_ = [r for r in data['orders'] if r['status'] == 'open']\nround(len(open_) / len(data['orders']) * 100, 1)`,
    50,
  ],
  [
    'statistics',
    `import statistics as st\n[st.mean([1, 2, 3, 4]), st.median([5, 1, 9]), round(st.stdev([2, 4, 4, 4, 5, 5, 7, 9]), 4)]`,
    [2.5, 5, 2.1381],
  ],
  ['quantiles', `import statistics\nstatistics.quantiles(range(1, 101), n=4)`, [25.25, 50.5, 75.75]],
  [
    'regression',
    `from statistics import linear_regression\nslope, intercept = linear_regression([1, 2, 3], [2, 4, 6])\n[slope, intercept]`,
    [2, 0],
  ],
  ['correlation', `from statistics import correlation\nround(correlation([1, 2, 3, 4], [2, 4, 6, 9]), 4)`, 0.9944],
  [
    'math',
    `import math\n[math.factorial(10), math.comb(10, 3), math.gcd(84, 36), math.isqrt(1000)]`,
    [3628800, 120, 12, 31],
  ],
  [
    'decimal',
    `from decimal import Decimal, ROUND_HALF_UP\nstr((Decimal('0.1') + Decimal('0.2')).quantize(Decimal('0.01'), ROUND_HALF_UP))`,
    '0.30',
  ],
  ['decimal value', `from decimal import Decimal\nDecimal('1.10') * 3`, '3.30'],
  ['fractions', `from fractions import Fraction\nFraction(1, 3) + Fraction(1, 6)`, '1/2'],
  ['big integer', `2 ** 100`, '1267650600228229401496703205376'],
  ['compound interest', `p, r, n = 1000, 0.05, 10\nround(p * (1 + r) ** n, 2)`, 1628.89],
  [
    'loan',
    `principal, rate, months = 200000, 0.04 / 12, 360
payment = principal * rate / (1 - (1 + rate) ** -months)
print(f'{payment:.2f}')
round(payment, 2)`,
    954.83,
  ],
  ['dates', `from datetime import date\n(date(2026, 12, 25) - date(2026, 3, 1)).days`, 299],
  [
    'date parsing',
    `from datetime import datetime\n[datetime.strptime(r['day'], '%Y-%m-%d').strftime('%b') for r in data['orders']]`,
    ['Jan', 'Jan', 'Feb', 'Feb'],
  ],
  ['date value', `from datetime import date, timedelta\ndate(2026, 2, 27) + timedelta(days=3)`, '2026-03-02'],
  ['calendar', `import calendar\ncalendar.monthrange(2028, 2)[1]`, 29],
  [
    'time zones',
    `from zoneinfo import ZoneInfo, available_timezones\nfrom datetime import datetime, timezone\ndatetime(2026, 1, 1, tzinfo=timezone.utc).isoformat()`,
    '2026-01-01T00:00:00+00:00',
  ],
  [
    'counter',
    `from collections import Counter\nCounter('mississippi').most_common(2)`,
    [
      ['i', 4],
      ['s', 4],
    ],
  ],
  [
    'itertools',
    `from itertools import accumulate, combinations\n[list(accumulate([1, 2, 3])), len(list(combinations(range(5), 2)))]`,
    [[1, 3, 6], 10],
  ],
  [
    'functools',
    `from functools import reduce, lru_cache\n@lru_cache(None)\ndef fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)\nfib(60)`,
    1548008755920,
  ],
  ['regular expressions', `import re\nre.findall(r'\\d+', 'a1 b22 c333')`, ['1', '22', '333']],
  ['json', `import json\njson.loads(json.dumps({'a': [1, 2]}))['a'][1]`, 2],
  [
    'csv',
    `import csv, io\nrows = list(csv.DictReader(io.StringIO('a,b\\n1,2\\n3,4')))\nsum(int(r['b']) for r in rows)`,
    6,
  ],
  ['random with seed', `import random\nrandom.seed(7)\nlen({random.randint(1, 100) for _ in range(50)}) > 10`, true],
  [
    'simulation',
    `import random\nrandom.seed(1)\nhits = sum(random.random() ** 2 + random.random() ** 2 < 1 for _ in range(20000))\nabs(4 * hits / 20000 - 3.14) < 0.1`,
    true,
  ],
  ['sorting', `max(data['orders'], key=lambda r: r['amount'])['customer']`, 'Ada'],
  [
    'class',
    `class Account:\n    def __init__(self, balance): self.balance = balance\n    def add(self, x):\n        self.balance += x\n        return self\nAccount(10).add(5).balance`,
    15,
  ],
  [
    'dataclass',
    `from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\n    y: int\nP(1, 2)`,
    { x: 1, y: 2 },
  ],
  [
    'named tuple',
    `from collections import namedtuple\nR = namedtuple('R', 'name score')\n[R('a', 1), R('b', 2)]`,
    [
      { name: 'a', score: 1 },
      { name: 'b', score: 2 },
    ],
  ],
  ['main guard', `def main():\n    return 42\nif __name__ == '__main__':\n    result = main()`, 42],
  [
    'typing',
    `from typing import List, Dict, Optional\ndef f(x: Optional[List[int]]) -> Dict[str, int]: return {'n': len(x or [])}\nf([1, 2])`,
    { n: 2 },
  ],
  ['generator', `def squares(n):\n    for i in range(n): yield i * i\nlist(squares(5))`, [0, 1, 4, 9, 16]],
  [
    'try and except',
    `def safe(a, b):\n    try: return a / b\n    except ZeroDivisionError: return None\n[safe(1, 0), safe(1, 2)]`,
    [null, 0.5],
  ],
  ['asyncio', `import asyncio\nasync def f(x):\n    await asyncio.sleep(0)\n    return x * 2\nasyncio.run(f(21))`, 42],
  [
    'gather',
    `import asyncio\nasync def f(x):\n    await asyncio.sleep(0.001)\n    return x\nasync def main(): return await asyncio.gather(*(f(i) for i in range(3)))\nasyncio.run(main())`,
    [0, 1, 2],
  ],
  ['file of its own', `with open('notes.txt', 'w') as f: f.write('a\\nb\\n')\nlen(open('notes.txt').readlines())`, 2],
  ['path', `import os\nos.path.splitext('report.csv')[1]`, '.csv'],
  ['sys', `import sys\nsys.maxsize > 0 and sys.version_info >= (3, 8)`, true],
  ['heap', `import heapq\nheapq.nlargest(2, [r['amount'] for r in data['orders']])`, [300.25, 120.5]],
  ['text', `import textwrap, string\ntextwrap.shorten('a long sentence that goes on', 12)`, 'a long [...]'],
  ['hash', `import hashlib\nhashlib.sha256(b'a').hexdigest()[:8]`, 'ca978112'],
  [
    'matrix',
    `a = [[1, 2], [3, 4]]\n[[sum(x * y for x, y in zip(r, c)) for c in zip(*a)] for r in a]`,
    [
      [7, 10],
      [15, 22],
    ],
  ],
  ['walrus and match', `match [1, 2]:\n    case [a, b] if (s := a + b) > 2:\n        result = s`, 3],
  ['not a number', `float('nan')`, 'nan'],
]
