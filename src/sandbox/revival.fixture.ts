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
/** The end of a search: fails when there is nothing. */
export const NOTHING = `
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
${NOTHING}`

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
${NOTHING}`,
  'what refers to what': `${ALIVE}
seen, queue = set(), [o for o in gc.get_objects() if 'yodide' in str(getattr(o, '__module__', ''))]
while queue:
    o = queue.pop()
    if id(o) in seen: continue
    seen.add(id(o))
    if type(o).__name__ == 'builtin_function_or_method' and 'yodide' in str(o.__module__): found.append(repr(o))
    if len(seen) < 50_000: queue.extend(gc.get_referents(o))
${NOTHING}`,
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
${NOTHING}`,
  subclasses: `${ALIVE}
queue = [object]
while queue:
    kind = queue.pop()
    if kind is not type: queue.extend(kind.__subclasses__())
    if kind.__module__.split('.')[0] in ('_pyodide_core', 'pyodide', '_pyodide', 'js', '_ctypes'):
        try: made = kind()
        except BaseException: continue
        found.extend(name for name in dir(made) if name in ('constructor', 'js_id', 'new', 'then', 'eval', 'globalThis'))
${NOTHING}`,
  'all that hangs together': `${ALIVE}
import types, weakref
C_MADE = ('JsProxy', 'JsException', 'JsMethodCallSingleton')
KEPT = {'JsNull', 'JsBigInt'}
def made_of_js(o):
    kind = type(o)
    return kind.__name__ not in KEPT and any(base.__name__ in C_MADE and base.__flags__ & 0x100 for base in kind.__mro__)
seen, queue = {}, gc.get_objects() + [object, sys.modules]
frame = sys._getframe()
while frame: queue.append(frame); frame = frame.f_back
while queue:
    o = queue.pop()
    if id(o) in seen or o is queue or o is seen: continue
    seen[id(o)] = o
    kind = type(o)
    if made_of_js(o): found.append(object.__repr__(o))
    if kind is types.BuiltinFunctionType and str(o.__module__).split('.')[0] in NAMES: found.append(repr(o))
    if kind is types.ModuleType and alive(o) and str(getattr(o, '__name__', '')).split('.')[0] in NAMES: found.append(repr(o))
    if isinstance(o, type): queue.extend(type.__subclasses__(o))
    if kind is weakref.ref: queue.append(o())
    queue.extend(gc.get_referents(o))
assert len(seen) > 30_000
${NOTHING}`,
  'the classes for objects of JavaScript': `${ALIVE}
kinds, queue = {}, [object]
while queue:
    kind = queue.pop()
    if id(kind) in kinds: continue
    kinds[id(kind)] = kind
    queue.extend(type.__subclasses__(kind))
kinds = [k for k in kinds.values() if any(base.__name__ == 'JsProxy' and base.__flags__ & 0x100 for base in k.__mro__)]
assert kinds
class Plain: pass
class Slots: __slots__ = tuple('abcdef')
class Failure(Exception): pass
class Module(type(sys)): pass
makers = [lambda c, *a: object.__new__(c), lambda c, *a: Exception.__new__(c), lambda c, *a: Failure.__new__(c)]
for kind in kinds:
    for example in (Plain(), Slots(), Failure(), Module('m')):
        try: object.__setattr__(example, '__class__', kind); found.append(kind)
        except TypeError: pass
    for bases in ((kind,), (Plain, kind), (kind, Exception), (Failure, kind), (Module, kind), (dict, kind), (int, kind)):
        for body in ({}, *({'__new__': maker} for maker in makers)):
            try: type('Own', bases, dict(body))(); found.append(bases)
            except TypeError: pass
${NOTHING}`,
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

const CLASS = (name: string): string => `
kinds, queue = {}, [object]
while queue:
    kind = queue.pop()
    if kind.__name__ == '${name}': break
    if id(kind) not in kinds: kinds[id(kind)] = kind; queue.extend(type.__subclasses__(kind))
assert kind.__name__ == '${name}'`

const OBJECT = (name: string): string => `
import gc
one = next(o for o in gc.get_objects() if type(o).__name__ == '${name}')`

/** What the interpreter keeps of its own, and what makes an object of JavaScript when it is called. */
export const CONVERSIONS: readonly Attack[] = Object.entries({
  'the class of its errors': `${CLASS('JsException')}
error = kind.__new__(kind, 'Error', 'message', 'stack')
error.forged = 'written'
print(error.forged, error.constructor)`,
  'an error, called': `${CLASS('JsException')}
kind('TypeError')`,
  'a converter': `${OBJECT('Js2PyConverter')}
for value in ({'a': 1}, [1], object(), len, lambda: 1): print(type(one.js2py_convert(value)))`,
}).map(([name, code]) => ({ name, code }))
