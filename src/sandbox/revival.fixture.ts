import type { Attack } from './attacks.fixture.ts'

/** What is alive of a module that was taken away: a name that does something. */
const ALIVE = `
import sys, gc
NAMES = ('_pyodide_core', 'js', 'pyodide_js', 'pyodide', 'pyodide.ffi', 'pyodide.code', 'pyodide.webloop', '_pyodide', '_pyodide._base',
         '_ctypes', 'ctypes', '_socket', 'socket', '_posixsubprocess', '_ssl', 'fcntl', 'termios', 'mmap',
         '_remote_debugging', '_testcapi', '_testinternalcapi', 'faulthandler', 'micropip')
USES = ('run_js', 'create_proxy', 'create_once_callable', 'to_js', 'run_sync', 'dlopen', 'dlsym', 'fork_exec', 'getaddrinfo',
        'gethostbyname', 'ioctl', 'tcgetattr', '_sigsegv', 'get_all_awaited_by', 'run_in_subinterp')
# Only what is made in C does something: Pyodide's documentation has functions of the same names in Python.
def alive(module):
    return [use for use in USES if type(getattr(module, use, None)).__name__ == 'builtin_function_or_method']
def forget():
    for name in list(sys.modules):
        if sys.modules[name] is None or name.split('.')[0] in NAMES: del sys.modules[name]
found = []
`
const DEAD = `
assert found, 'nothing'
`

/** Every way of importing that the language has, tried with every name. */
const WAYS: Readonly<Record<string, string>> = {
  'the import statement': `__import__(name, fromlist=['x'])`,
  import_module: `importlib.import_module(name)`,
  'the import hook': `importlib._bootstrap._gcd_import(name)`,
  'find and load': `importlib._bootstrap._find_and_load(name, __import__)`,
  'a spec': `module_of(importlib.util.find_spec(name))`,
  'the finder of built-in modules': `module_of(importlib.machinery.BuiltinImporter.find_spec(name))`,
  'a spec for built-in modules': `module_of(importlib.machinery.ModuleSpec(name, importlib.machinery.BuiltinImporter))`,
  'a spec for frozen modules': `module_of(importlib.machinery.ModuleSpec(name, importlib.machinery.FrozenImporter))`,
  create_builtin: `made(_imp.create_builtin(importlib.machinery.ModuleSpec(name, None)))`,
  init_frozen: `_imp.init_frozen(name)`,
  load_module: `importlib.machinery.BuiltinImporter.load_module(name)`,
  'the archive': `zipimport.zipimporter(next(p for p in sys.path if p.endswith('.zip'))).load_module(name)`,
  'every finder in memory': `[module_of(f.find_spec(name)) for f in finders if f.find_spec(name)][0]`,
  'a name that only looks the same': `made(_imp.create_builtin(importlib.machinery.ModuleSpec(type('S', (str,), {})(name), None)))`,
  runpy: `type('M', (), runpy.run_module(name))`,
}

const way = (expression: string): string => `${ALIVE}
import importlib, importlib.util, importlib.machinery, _imp, zipimport, runpy
def made(module): _imp.exec_builtin(module); return module
def module_of(spec): module = importlib.util.module_from_spec(spec); spec.loader.exec_module(module); return module
finders = [o for o in gc.get_objects() if hasattr(type(o), 'find_spec') or isinstance(o, type) and hasattr(o, 'find_spec')]
for name in NAMES:
    forget()
    try: found += [(name, use) for use in alive(${expression})]
    except BaseException: pass
${DEAD}`

/**
 * Ways of bringing back what was taken out of the interpreter before the code came. Each fails with an exception when nothing
 * that does something was found.
 */
export const REVIVALS: readonly Attack[] = Object.entries({
  ...Object.fromEntries(Object.entries(WAYS).map(([name, expression]) => [name, way(expression)])),
  'objects in memory': `${ALIVE}
for o in gc.get_objects():
    kind, origin = type(o).__name__, str(getattr(o, '__module__', None)).split('.')[0]
    if kind == 'builtin_function_or_method' and origin in NAMES: found.append(repr(o))
    if kind in ('JsProxy', 'JsDoubleProxy', 'JsCallable', 'JsOnceCallable', 'JsPromise', 'JsBuffer'): found.append(kind)
    if kind == 'module' and alive(o) and getattr(o, '__name__', '').split('.')[0] in NAMES: found.append(repr(o))
    if kind == 'dict' and any(type(o.get(use)).__name__ == 'builtin_function_or_method' for use in USES): found.append(list(o)[:9])
${DEAD}`,
  'what refers to what': `${ALIVE}
seen, queue = set(), [o for o in gc.get_objects() if 'yodide' in str(getattr(o, '__module__', ''))]
while queue:
    o = queue.pop()
    if id(o) in seen: continue
    seen.add(id(o))
    if type(o).__name__ == 'builtin_function_or_method' and 'yodide' in str(o.__module__): found.append(repr(o))
    if len(seen) < 50_000: queue.extend(gc.get_referents(o))
${DEAD}`,
  frames: `${ALIVE}
def look(frame):
    while frame:
        for space in (frame.f_globals, frame.f_locals, frame.f_builtins):
            found.extend(use for use in USES[:6] if use in space)
            found.extend(k for k, v in space.items() if str(getattr(v, '__name__', '')).split('.')[0] in NAMES and alive(v))
        frame = frame.f_back
look(sys._getframe())
for frame in sys._current_frames().values(): look(frame)
try: 1 / 0
except ZeroDivisionError as error: look(error.__traceback__.tb_frame)
${DEAD}`,
  subclasses: `${ALIVE}
queue = [object]
while queue:
    kind = queue.pop()
    if kind is not type: queue.extend(kind.__subclasses__())
    if kind.__module__.split('.')[0] in ('_pyodide_core', 'pyodide', '_pyodide', 'js', '_ctypes'):
        try: made = kind()
        except BaseException: continue
        found.extend(name for name in dir(made) if name in ('constructor', 'js_id', 'new', 'then', 'eval', 'globalThis'))
${DEAD}`,
  'a library of its own': `
import _imp, importlib.machinery
open('/tmp/x.so', 'wb').write(b'\\0asm\\1\\0\\0\\0\\0\\x0d\\x08dylink.0\\1\\4\\0\\0\\0\\0')
_imp.create_dynamic(importlib.machinery.ModuleSpec('x', None, origin='/tmp/x.so'))`,
  'script of the engine': `
import sys; [sys.modules.pop(n, None) for n in ('ctypes', '_ctypes')]
import ctypes; print(ctypes.pythonapi.emscripten_run_script_string)`,
  'builtin names changed back': `
import sys; sys.builtin_module_names += ('_pyodide_core', '_ctypes'); sys.modules.pop('_ctypes', None)
import _ctypes; print(_ctypes.dlopen)`,
}).map(([name, code]) => ({ name, code }))
