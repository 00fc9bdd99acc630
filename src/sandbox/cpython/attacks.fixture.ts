/**
 * Ways out of the CPython sandbox, as a hostile author would write them. `SECRET` and `TARGET` are paths on the host (a file
 * with the secret, a file that must not come to be), `PORT` is a listening port of the host, `PARENT` the parent's process
 * id. The code runs with the policy's eyes shut, so what stops it are the walls.
 */
export interface Attack {
  readonly name: string
  readonly code: string
  /** `stopped`: the process is ended for it. `fails`: Python says so. `contained`: it runs, and finds or does nothing. */
  readonly end: 'stopped' | 'fails' | 'contained'
}

function attacks(group: string, end: Attack['end'], codes: Readonly<Record<string, string>>): Attack[] {
  return Object.entries(codes).map(([name, code]) => ({ name: `${group}: ${name}`, code, end }))
}

/** Calls of the C library and of the kernel by number; a refusal is an exception. */
const KERNEL = `
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def call(*arguments):
    done = libc.syscall(*[ctypes.c_long(a) if isinstance(a, int) else a for a in arguments])
    if done < 0: raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return done
`
const kernel = (code: string): string => `${KERNEL}${code}`

export const CPYTHON_ATTACKS: readonly Attack[] = [
  ...attacks('files', 'fails', {
    'plain open': `print(open('SECRET').read())`,
    'os.open': `import os; print(os.read(os.open('SECRET', os.O_RDONLY), 100))`,
    'numpy file': `import numpy; print(numpy.fromfile('SECRET', dtype='u1').tobytes())`,
    'numpy memmap': `import numpy; print(numpy.memmap('SECRET', mode='r').tobytes())`,
    'pandas csv': `import pandas; print(pandas.read_csv('SECRET'))`,
    'pandas out': `import pandas; pandas.DataFrame([1]).to_csv('TARGET')`,
    'password file': `print(open('/etc/passwd').read())`,
    'host name file': `print(open('/etc/hostname').read())`,
    'environment in proc': `print(open('/proc/self/environ').read())`,
    'root in proc': `print(open('/proc/1/root' + 'SECRET').read())`,
    'memory in proc': `print(open('/proc/self/mem', 'rb').read(1))`,
    'environment of the parent': `print(open('/proc/PARENT/environ').read())`,
    'kernel settings': `print(open('/sys/kernel/notes', 'rb').read())`,
    'memory device': `print(open('/dev/mem', 'rb').read(1))`,
    'shared memory folder': `open('/dev/shm/left', 'w').write('x')`,
    'symbolic link': `import os; os.symlink('SECRET', '/tmp/link'); print(open('/tmp/link').read())`,
    'hard link': `import os; os.link('/usr/lib/python3/dist-packages/pandas/__init__.py', '/tmp/link')`,
    'write target': `open('TARGET', 'w').write('was here')`,
    'write into the library': `open('/usr/lib/python3/dist-packages/left.py', 'w').write('was here')`,
    'write at the root': `open('/left', 'w').write('was here')`,
    'rename the library': `import os; os.rename('/usr/lib/python3', '/usr/lib/left')`,
    'rights of the library': `import os; os.chmod('/usr/lib/python3', 0o777)`,
    'device node': `import os, stat; os.mknod('/tmp/mem', stat.S_IFCHR | 0o666, os.makedev(1, 1))`,
    'database of sqlite': `import sqlite3; sqlite3.connect('/tmp/x.db').execute("ATTACH 'SECRET' AS s")`,
    'handle of a file': kernel(`
handle = ctypes.create_string_buffer(b'\\x08\\0\\0\\0\\x01\\0\\0\\0\\x02\\0\\0\\0\\0\\0\\0\\0')
print(call(304, os.open('/', os.O_RDONLY), handle, 0))`),
    'terminal input': `import fcntl, termios; fcntl.ioctl(0, termios.TIOCSTI, b'x')`,
  }),
  ...attacks('files', 'contained', {
    'walk everything': `import os
for folder, _, files in os.walk('/'):
    for file in files:
        if file == 'SECRET'.rsplit('/', 1)[1]: print(open(os.path.join(folder, file)).read())`,
    'list homes': `import os; names = os.listdir('/home') + os.listdir('/tmp'); assert names == ['python'], names`,
    programs: `import os; assert not os.path.exists('/bin/sh') and not os.path.exists('/usr/bin/env')`,
  }),
  ...attacks('environment', 'contained', {
    environ: `import os; assert dict(os.environ) == {'HOME': '/home/python', 'USER': 'nobody'}, dict(os.environ)`,
    'environ of the C library': kernel(`
libc.getenv.restype = ctypes.c_char_p; print(libc.getenv(b'TUTTI_CANARY'))`),
    'memory of the process': `import gc; print([o for o in gc.get_objects() if isinstance(o, dict) and 'TUTTI_CANARY' in o])`,
    'who and where': `import os, platform; print(os.getuid(), os.getgid(), platform.node(), os.getcwd()); assert os.getuid() == 65534 and platform.node() == 'sandbox'`,
  }),
  ...attacks('network', 'stopped', {
    socket: `import socket; socket.create_connection(('127.0.0.1', PORT), 1).send(b'hello')`,
    'socket by number': kernel(`call(41, 2, 1, 0)`),
    'unix socket': `import socket; socket.socket(socket.AF_UNIX).connect('/run/docker.sock')`,
    netlink: `import socket; socket.socket(16, 3, 0)`,
    packet: `import socket; socket.socket(17, 3, 0)`,
    'name lookup': `import socket; print(socket.getaddrinfo('example.com', 80))`,
    urllib: `import urllib.request; print(urllib.request.urlopen('http://127.0.0.1:PORT').read())`,
    'pandas over http': `import pandas; print(pandas.read_csv('http://127.0.0.1:PORT/x.csv'))`,
    'asyncio connection': `import asyncio; asyncio.run(asyncio.open_connection('127.0.0.1', PORT))`,
    listen: `import socket; s = socket.socket(); s.bind(('0.0.0.0', 0)); s.listen()`,
  }),
  ...attacks('process', 'stopped', {
    'fork bomb': `import os
while True: os.fork()`,
    'os.system': `import os; os.system('cat SECRET; touch TARGET')`,
    subprocess: `import subprocess; print(subprocess.run(['/usr/bin/python3', '-c', 'print(1)'], capture_output=True))`,
    posix_spawn: `import os; os.posix_spawn('/bin/sh', ['sh', '-c', 'touch TARGET'], {})`,
    'exec of python': `import os; os.execv('/usr/bin/python3.11', ['python3', '-c', 'import os; print(os.environ)'])`,
    multiprocessing: `import multiprocessing; multiprocessing.Process(target=print).start()`,
    'clone by number': kernel(`call(56, 17, 0, 0, 0, 0)`),
    'kill the parent': `import os; os.kill(os.getppid(), 9)`,
    'kill the host': `import os; os.kill(PARENT, 9)`,
    'kill everyone': `import os; os.kill(-1, 9)`,
    ptrace: kernel(`call(101, 16, 1, 0, 0)`),
    'memory of another': kernel(`call(310, 1, 0, 0, 0, 0, 0)`),
    mount: kernel(`libc.mount(b'none', b'/tmp', b'tmpfs', 0, None)`),
    chroot: `import os; os.chroot('/tmp')`,
    pivot_root: kernel(`call(155, b'/tmp', b'/tmp')`),
    unshare: kernel(`libc.unshare(0x10000000)`),
    'other namespaces': kernel(`call(308, 0, 0)`),
    setuid: `import os; os.setuid(0)`,
    'program in memory': kernel(`call(319, b'x', 0)`),
    bpf: kernel(`call(321, 0, 0, 0)`),
    'performance events': kernel(`call(298, 0, 0, 0, 0, 0)`),
    'page faults': kernel(`call(323, 0)`),
    'ring of requests': kernel(`call(425, 1, ctypes.create_string_buffer(200))`),
    'kernel keys': kernel(`call(250, 0, -3, 0)`),
    'calls of the x32 set': kernel(`call(0x40000000 + 39)`),
    'calls of 32 bits': `
import ctypes, mmap
memory = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
memory.write(b'\\xb8\\x14\\0\\0\\0\\xcd\\x80\\xc3')
print(ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(memory)))())`,
    abort: `import os; os.abort()`,
    'quick exit': `import os; os._exit(0)`,
    'memory fault': `import ctypes; ctypes.string_at(0)`,
  }),
  ...attacks('process', 'fails', {
    'all threads there are': `import threading, time
for _ in range(10_000): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()`,
    'process pool': `from concurrent.futures import ProcessPoolExecutor; print(ProcessPoolExecutor().submit(len, 'a').result())`,
    'limits lifted': `import resource; resource.setrlimit(resource.RLIMIT_DATA, (-1, -1))`,
    'another filter': kernel(`call(317, 1, 0, ctypes.create_string_buffer(16))`),
    capabilities: kernel(`call(126, ctypes.create_string_buffer(32), ctypes.create_string_buffer(32))`),
    personality: kernel(`call(135, 0x0040000)`),
    priority: `import os; os.setpriority(os.PRIO_PROCESS, 0, -20)`,
    'shared memory of System V': kernel(`call(29, 1234, 4096, 0o1666)`),
    'message queue': kernel(`call(240, b'left', 0o102, 0o666, 0)`),
  }),
  ...attacks('memory', 'stopped', {
    doubling: `x = b'a' * 1_000_000
while True: x += x`,
    'by list': `x = []
while True: x.append(bytearray(10_000_000))`,
    'one block of numpy': `import numpy; x = numpy.ones((100_000, 100_000))`,
    'blocks of numpy': `import numpy; x = []
while True: x.append(numpy.ones(1_000_000))`,
    'a join of pandas': `import pandas; f = pandas.DataFrame({'a': range(100_000)}); x = f.merge(f, how='cross')`,
    'very deep recursion': `import sys
sys.setrecursionlimit(10 ** 9)
deep = []
for _ in range(10 ** 6): deep = [deep]
repr(deep)`,
  }),
  ...attacks('memory', 'fails', {
    'shared memory': `import mmap; x = []
while True: x.append(mmap.mmap(-1, 100_000_000))`,
    'one file': `open('/tmp/big', 'wb').write(b'x' * 100_000_000)`,
    'many files': `import os
for i in range(1000): open('/tmp/%d' % i, 'wb').write(b'x' * 10_000_000)`,
    'many descriptors': `x = [open('/dev/null') for _ in range(10_000)]`,
  }),
  ...attacks('time', 'stopped', {
    'endless loop': `while True: pass`,
    'endless sleep': `import time; time.sleep(10 ** 6)`,
    'endless expression': `import re; re.match('(a+)+$', 'a' * 60 + 'b')`,
    'endless sum': `import numpy
while True: numpy.linalg.svd(numpy.ones((200, 200)))`,
    'signals ignored': `import signal
for n in (signal.SIGTERM, signal.SIGINT, signal.SIGXCPU): signal.signal(n, signal.SIG_IGN)
while True: pass`,
    'deaf to exceptions': `while True:
    try:
        while True: pass
    except BaseException: pass`,
    'lock for ever': `import threading; threading.Lock().acquire(); a = threading.Lock(); a.acquire(); a.acquire()`,
    'reading all descriptors': `import os
for fd in [*range(1, 3), *range(4, 128), 3]:
    try: print(fd, os.read(fd, 1000))
    except OSError: pass`,
    'wait for input': `import os; os.pipe(); r, w = os.pipe(); os.read(r, 1)`,
  }),
  ...attacks('output', 'contained', {
    'flood of stdout': `for _ in range(100_000): print('x' * 1000)`,
    'flood of stderr': `import os
for _ in range(1000): os.write(2, b'x' * 1000)`,
    'control of the streams': `import sys; sys.stdout.close(); sys.stderr.close()`,
    'deep value': `x = []
for _ in range(100_000): x = [x]`,
    'wide value': `import numpy; x = numpy.arange(5_000_000)`,
    'long text': `x = 'x' * 50_000_000`,
    'thread left behind': `import threading, time; threading.Thread(target=time.sleep, args=(1000,)).start()`,
    'end that hangs': `import atexit, time; atexit.register(time.sleep, 1000)`,
  }),
  ...attacks('forgery', 'stopped', {
    'reply of its own': `import os; os.write(3, b'{"nonce":"x","report":"{}","stdout":"","stderr":"","truncated":false}\\n')`,
    'reply without end': `import os
while True: os.write(3, b'x' * 100_000)`,
    'closed reply': `import os, time; os.close(3)`,
    'harness patched': `import __main__; __main__._json_dumps = lambda *a, **k: '{"status":"ok","value":"forged"}'`,
  }),
]
