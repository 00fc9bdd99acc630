import { PLAIN } from './plain.ts'
import { POLICY } from './policy.ts'

/** Modules that jobs are likely to use; loading them into the snapshot makes jobs start at once. */
const PRELOADED = `abc, ast, array, base64, bisect, calendar, cmath, collections, contextlib, copy, csv,
dataclasses, datetime, decimal, enum, fractions, functools, hashlib, heapq, html, io, itertools, json, math, numbers, operator,
os, pprint, random, re, secrets, statistics, string, struct, sys, textwrap, time, traceback, types, typing, unicodedata, uuid,
warnings, zlib, zoneinfo`.replaceAll('\n', ' ')

/** Runs a job and collects its output. */
export const RUN = String.raw`
import sys as _sys, traceback as _traceback, linecache as _linecache, os as _os, base64 as _base64, random as _random
import types as _types, json as _json, time as _time, _imp
_json_dumps, _json_loads = _json.dumps, _json.loads
_FILE = '<code>'
_HOME = '/home/pyodide'

def _run_job(code, data, limits):
    limits = _json_loads(limits)
    report = {'status': 'ok', 'locals': {}, 'tables': [], 'images': []}
    space = {'__name__': '__main__', '__builtins__': __builtins__, 'data': _json_loads(data)}
    given = _identities(space['data'])
    value = None
    try:
        value = _execute(code, space, report)
    except BaseException as error:
        _report_error(error, report)
    for stream in (_sys.stdout, _sys.stderr, _sys.__stdout__, _sys.__stderr__):
        try:
            stream.flush()
        except BaseException:
            pass
    if report['status'] != 'violation':
        _collect(value, space, given, limits, report)
    return _json_dumps(report, allow_nan=False)

def _execute(code, space, report):
    _linecache.cache[_FILE] = (len(code), None, code.splitlines(True), _FILE)
    tree = _ast.parse(code, _FILE)
    forbidden = _forbidden(tree)
    if forbidden:
        report['status'], report['message'] = 'violation', forbidden
        return None
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], _ast.Expr) else None
    _eval(_compile(tree, _FILE, 'exec', 0, True), space)
    if last is not None:
        return _eval(_compile(_ast.Expression(last.value), _FILE, 'eval', 0, True), space)
    return None

_compile, _eval = compile, eval

_HINTS = {
    'ModuleNotFoundError': lambda error: 'No module named %r: only the standard library of Python is available here.' % error.name,
    'ZoneInfoNotFoundError': lambda error: 'There is no time zone data here; use a fixed offset such as timezone(timedelta(hours=1)).',
}

def _message(error):
    try:
        return _HINTS.get(type(error).__name__, str)(error)[:2000]
    except BaseException:
        return ''

def _report_error(error, report):
    if isinstance(error, SystemExit) and error.code in (None, 0):
        return
    if isinstance(error, MemoryError):
        report['status'], report['message'] = 'violation', 'it needs too much memory'
        return
    if isinstance(error, ImportError) and (error.name or '').split('.')[0] in _FORBIDDEN_MODULES:
        report['status'], report['message'] = 'violation', 'import of "%s"' % error.name
        return
    report['status'] = 'error'
    report['error'] = {'type': type(error).__name__, 'message': _message(error), 'traceback': _trace(error)}

def _trace(error):
    try:
        trace = _traceback.TracebackException.from_exception(error, limit=-20, compact=True)
        trace.stack = _traceback.StackSummary.from_list([frame for frame in trace.stack if frame.filename == _FILE])
        return ''.join(trace.format(chain=False))[-4000:]
    except BaseException:
        return ''

def _identities(value):
    """Ids of all containers that were handed in, so that they are not mistaken for results."""
    found, queue = set(), [value]
    while queue:
        item = queue.pop()
        if isinstance(item, (list, dict)):
            found.add(id(item))
            queue.extend(item if isinstance(item, list) else item.values())
    return found

def _collect(value, space, given, limits, report):
    hidden = (_types.ModuleType, _types.FunctionType, _types.BuiltinFunctionType, _types.GeneratorType, type)
    names = [n for n, v in space.items() if not n.startswith('_') and n != 'data' and not isinstance(v, hidden)
             and not type(v).__module__ == 'typing']
    if value is None and 'result' in names:
        value = space['result']
    budget = _Budget(limits['items'], 12, limits['text'])
    report['value'] = _plain(value, budget)
    cut = budget.truncated
    for name in names[:200]:
        if id(space[name]) not in given:
            budget = _Budget(100, 4, 2000)
            report['locals'][name] = _plain(space[name], budget)
    seen = set(given)
    for name, candidate in [('value', value)] + [(n, space[n]) for n in ('table', 'result') if n in names] + [
        (n, space[n]) for n in names
    ]:
        if id(candidate) in seen:
            continue
        table = _table(name, candidate, _Budget(limits['items'], 4, limits['text']), limits['rows'])
        if table is None:
            continue
        seen.add(id(candidate))
        if len(report['tables']) >= 8:
            break
        report['tables'].append(table)
    report['images'], images_cut = _images(limits)
    report['truncated'] = cut or images_cut

_MAGIC = ((b'\x89PNG\r\n\x1a\n', 'image/png'), (b'\xff\xd8\xff', 'image/jpeg'), (b'GIF8', 'image/gif'))

def _mime(head):
    for magic, mime in _MAGIC:
        if head.startswith(magic):
            return mime
    if head[:4] == b'RIFF' and head[8:12] == b'WEBP':
        return 'image/webp'
    text = head.lstrip()
    if text.startswith(b'<svg') or text.startswith(b'<?xml') and b'<svg' in text:
        return 'image/svg+xml'
    return None

def _images(limits):
    images, left, cut = [], limits['imageBytes'], False
    for folder in (_HOME, '/tmp'):
        for place, _, files in _os.walk(folder):
            for file in sorted(files):
                path = _os.path.join(place, file)
                size = _os.path.getsize(path)
                with open(path, 'rb') as handle:
                    head = handle.read(512)
                    mime = _mime(head)
                    if not mime:
                        continue
                    if size > left or len(images) >= limits['images']:
                        cut = True
                        continue
                    content = head + handle.read()
                left -= size
                images.append({'name': file, 'mime': mime, 'base64': _base64.b64encode(content).decode()})
    return images, cut

_BRIDGE = frozenset(('js', 'pyodide_js', '_pyodide_core', 'pyodide', '_pyodide', 'micropip'))
_CLOSED = _BRIDGE | frozenset(('ctypes', '_ctypes', 'socket', '_socket', 'ssl', '_ssl', 'subprocess', '_posixsubprocess',
                               'multiprocessing', 'asyncio', '_asyncio', 'webbrowser', 'fcntl', 'termios', 'mmap', 'select', 'resource', 'pty'))

def _lock():
    """After a snapshot was loaded: the bridge to JavaScript goes, chance comes back."""
    _drop_proxies()
    for name in [*_sys.modules, *_CLOSED]:
        if name.split('.')[0] in _CLOSED:
            _sys.modules[name] = None
    _sys.meta_path[:] = [f for f in _sys.meta_path if f.__module__.split('.')[0] not in _BRIDGE]
    _sys.builtin_module_names = tuple(n for n in _sys.builtin_module_names if _imp.is_builtin(n))
    globals().pop('_pyodide_core', None)
    _empty_bridge()
    _random.seed()
    _sys.excepthook = _sys.__excepthook__
    _time.sleep = getattr(_time.sleep, '__wrapped__', _time.sleep)
    _os.chdir(_HOME)

def _drop_proxies():
    """Takes the objects of JavaScript out of all dicts, whoever keeps them there: modules, finders, loaders."""
    import gc, js
    proxy = type(js).__mro__[-2]
    for holder in gc.get_objects():
        if type(holder) is dict:
            for key in [key for key, value in holder.items() if proxy in type(value).__mro__]:
                del holder[key]

def _empty_bridge():
    """Not hidden but emptied: what the closed modules hold, and what the interpreter keeps to make them anew."""
    import gc
    for found in gc.get_objects():
        name = found.get('__name__') if type(found) is dict else None
        if type(name) is str and name.split('.')[0] in _CLOSED:
            found.clear()
    gc.collect()
`

/** Everything that is loaded into the interpreter before the snapshot is made. Its entries are `_lock` and `_run_job`. */
export const HARNESS = [`import ${PRELOADED}`, POLICY, PLAIN, RUN].join('\n')
