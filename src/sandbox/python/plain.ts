/**
 * Python that turns values of a job into plain JSON, within limits. Exact decimals, fractions and integers beyond 2^53
 * become strings, as in `src/domain/table.ts`.
 */
export const PLAIN = String.raw`
import dataclasses as _dataclasses, datetime as _datetime, decimal as _decimal, fractions as _fractions
import math as _math, enum as _enum, types as _types

class _Budget:
    def __init__(self, items, depth, text):
        self.items, self.depth, self.text, self.truncated = items, depth, text, False

def _text(value, budget):
    if len(value) > budget.text:
        budget.truncated = True
        return value[:budget.text] + '…'
    return str(value)

def _shown(value, budget):
    try:
        return _text(repr(value), budget)
    except BaseException:
        return '<%s>' % type(value).__name__

def _plain(value, budget, depth=0):
    budget.items -= 1
    if value is None or value is True or value is False:
        return value
    kind = type(value)
    if isinstance(value, _enum.Enum):
        return _plain(value.value, budget, depth + 1)
    if isinstance(value, int):
        return int(value) if -(2 ** 53) < value < 2 ** 53 else _big(value, budget)
    if isinstance(value, float):
        return float(value) if _math.isfinite(value) else str(float(value))
    if isinstance(value, str):
        return _text(value, budget)
    if isinstance(value, (_decimal.Decimal, _fractions.Fraction)):
        return _text(str(value), budget)
    if isinstance(value, (_datetime.date, _datetime.time)):
        return value.isoformat()
    if depth >= budget.depth:
        budget.truncated = True
        return _shown(value, budget)
    if _dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: _plain(getattr(value, f.name), budget, depth + 1) for f in _dataclasses.fields(value)}
    if isinstance(value, tuple) and hasattr(value, '_fields'):
        return {name: _plain(item, budget, depth + 1) for name, item in zip(value._fields, value)}
    if isinstance(value, dict):
        result = {}
        for key, item in value.items():
            if budget.items <= 0:
                budget.truncated = True
                break
            result[_key(key, budget)] = _plain(item, budget, depth + 1)
        return result
    if isinstance(value, (list, tuple, set, frozenset, range)) or kind.__name__ in ('dict_keys', 'dict_values', 'deque'):
        result = []
        for item in value:
            if budget.items <= 0:
                budget.truncated = True
                break
            result.append(_plain(item, budget, depth + 1))
        return result
    return _shown(value, budget)

def _big(value, budget):
    if value.bit_length() < 10000:
        return str(value)
    budget.truncated = True
    return '<integer of %d bits>' % value.bit_length()

def _key(key, budget):
    if isinstance(key, str):
        return _text(key, budget)
    plain = _plain(key, _Budget(20, 2, 200))
    return plain if isinstance(plain, str) else _json_dumps(plain)

def _record(value):
    if isinstance(value, dict):
        return all(isinstance(key, str) for key in value)
    if _dataclasses.is_dataclass(value) and not isinstance(value, type):
        return True
    return isinstance(value, tuple) and hasattr(value, '_fields')

def _table(name, value, budget, max_rows):
    """A list of records, or a dict of columns of one length; else None."""
    if isinstance(value, (list, tuple)) and len(value) > 0 and not hasattr(value, '_fields') and all(map(_record, value)):
        rows = [_plain(row, budget) for row in value[:max_rows] if budget.items > 0]
        count = len(value)
    elif isinstance(value, dict) and len(value) > 0 and all(isinstance(k, str) for k in value) and all(
        isinstance(column, (list, tuple)) and not hasattr(column, '_fields') for column in value.values()
    ) and len({len(column) for column in value.values()}) == 1 and len(next(iter(value.values()))) > 0:
        count = len(next(iter(value.values())))
        rows = []
        for i in range(min(count, max_rows)):
            if budget.items <= 0:
                break
            rows.append({_text(key, budget): _plain(column[i], budget) for key, column in value.items()})
    else:
        return None
    columns = list(dict.fromkeys(key for row in rows for key in row))
    return {'name': name, 'columns': columns, 'rows': rows, 'truncated': len(rows) < count or budget.truncated}
`
