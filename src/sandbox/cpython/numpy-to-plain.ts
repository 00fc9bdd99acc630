/**
 * Python that converts values of numpy and pandas to plain Python values, on top of `PLAIN`: arrays and columns become
 * lists, frames become lists of records, missing values become None.
 */
export const NUMERIC = String.raw`
import platform as _platform, uuid as _uuid, random as _random_source
# These would start a program or make a socket to find out; pandas asks for the first when it is loaded.
_platform._Processor.get = staticmethod(lambda: '')
_uuid._generate_time_safe, _uuid._node = None, _random_source.getrandbits(48) | 1 << 40
import numpy as _np, pandas as _pd

def _native(value, budget):
    """The value as the language's own, with no more items than the budget has left."""
    most = max(budget.items, 0) + 1
    if value is None or isinstance(value, (str, bool, int, dict, list, tuple)):
        return value
    if isinstance(value, (type(_pd.NaT), type(_pd.NA))):
        return None
    if isinstance(value, (_np.datetime64, _np.timedelta64, _pd.Timedelta, _pd.Period, _pd.Interval)):
        return None if _pd.isna(value) else str(value)
    if isinstance(value, _np.generic):
        return value.item()
    if isinstance(value, _np.ndarray):
        return value.item() if value.ndim == 0 else list(value[:most])
    if isinstance(value, _pd.DataFrame):
        return _records(value, most, not _is_row_number(value.index))
    if isinstance(value, _pd.Series):
        kept = [None if _missing(item) else item for item in value.iloc[:most]]
        return kept if _is_count(value.index) or not value.index.is_unique else dict(zip(value.index[:most], kept))
    if isinstance(value, (_pd.Index, _pd.api.extensions.ExtensionArray)):
        return [None if _missing(item) else item for item in value[:most]]
    return value

def _missing(item):
    return _pd.api.types.is_scalar(item) and bool(_pd.isna(item))

def _is_count(index):
    """Whether the index of a column is 0, 1, 2 and so on, and says nothing."""
    return _is_plain(index) and bool((index == _np.arange(len(index))).all())

def _is_row_number(index):
    """The same of a frame that may have been filtered or sorted; years and the like do say something."""
    return _is_plain(index) and (len(index) == 0 or index.min() < 1000)

def _is_plain(index):
    return index.nlevels == 1 and index.name is None and index.dtype.kind in 'iu'

def _records(frame, most, with_index):
    frame = frame.head(most)
    levels = [frame.index.get_level_values(i) for i in range(frame.index.nlevels)] if with_index else []
    columns = []
    for name in [*('index' if level.name is None else level.name for level in levels), *frame.columns]:
        text = ' '.join(str(part) for part in name if str(part) != '') if isinstance(name, tuple) else str(name)
        base, n = text, 2
        while text in columns:
            text, n = '%s %d' % (base, n), n + 1
        columns.append(text)
    sources = [*levels, *(frame.iloc[:, i] for i in range(frame.shape[1]))]
    values = [[None if _missing(item) else item for item in source] for source in sources]
    return [dict(zip(columns, row)) for row in zip(*values)]

_plain_language = _plain
def _plain(value, budget, depth=0):
    return _plain_language(_native(value, budget), budget, depth)

_table_language = _table
def _table(name, value, budget, max_rows):
    count = None
    if isinstance(value, _pd.DataFrame):
        count, value = len(value), _records(value, max_rows, not _is_row_number(value.index))
    elif isinstance(value, _pd.Series) and not _is_count(value.index):
        frame = value.to_frame('value' if value.name is None else value.name)
        count, value = len(value), _records(frame, max_rows, True)
    elif isinstance(value, (_pd.Series, _pd.Index, _np.ndarray)):
        return None
    table = _table_language(name, value, budget, max_rows)
    if table is not None and count is not None:
        table['truncated'] = len(table['rows']) < count
    return table
`
