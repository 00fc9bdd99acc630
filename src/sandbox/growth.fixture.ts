import type { Attack } from './attacks.fixture.ts'

/**
 * Memory that is not the interpreter's own: files, names, pipes and what else is kept in JavaScript beside it. Each takes all
 * it can get, out of the policy's sight, in a process of its own.
 */
export const GROWTH: readonly Attack[] = Object.entries({
  'five files of 1 GB by ftruncate': `
files = [open('/tmp/%d' % i, 'wb') for i in range(5)]
for file in files: file.truncate(10 ** 9)`,
  'a file by ftruncate, each time larger': `
file = open('/tmp/x', 'wb')
for i in range(1, 2000): file.truncate(i * 10 ** 6); file.seek(i * 10 ** 6 - 1); file.write(b'x')`,
  'os.truncate by path': `
import os
for i in range(100):
    open('/tmp/%d' % i, 'wb').close(); os.truncate('/tmp/%d' % i, 100_000_000)
    with open('/tmp/%d' % i, 'r+b') as file:
        for at in range(0, 100_000_000, 4096): file.seek(at); file.write(b'x')`,
  '40 files of 32 MB': `
for i in range(40): open('/tmp/%d' % i, 'wb').write(b'x' * 32_000_000)`,
  'one file without end': `
file = open('/home/pyodide/x', 'wb')
while True: file.write(b'x' * 1_000_000)`,
  'files that are deleted and kept open': `
import os
kept = []
for i in range(200):
    kept.append(open('/tmp/x', 'wb')); kept[-1].write(b'x' * 10_000_000); kept[-1].flush(); os.unlink('/tmp/x')`,
  'a hole in a file': `
for i in range(20):
    with open('/tmp/%d' % i, 'wb') as file: file.seek(900_000_000); file.write(b'x')
    with open('/tmp/%d' % i, 'r+b') as file:
        for at in range(0, 900_000_000, 4096): file.seek(at); file.write(b'x')`,
  'space set aside': `
import os
for i in range(10):
    file = os.open('/tmp/%d' % i, os.O_RDWR | os.O_CREAT); os.posix_fallocate(file, 0, 10 ** 9)
    for at in range(0, 10 ** 9, 4096): os.pwrite(file, b'x', at)`,
  'writing far away': `
import os
file = os.open('/tmp/x', os.O_RDWR | os.O_CREAT)
for i in range(1, 40): os.pwrite(file, b'x' * 20_000_000, i * 50_000_000)`,
  'a file that doubles itself': `
import shutil
open('/tmp/a', 'wb').write(b'x' * 4_000_000)
for i in range(12):
    with open('/tmp/a', 'rb') as source, open('/tmp/b', 'wb') as target:
        shutil.copyfileobj(source, target); source.seek(0); shutil.copyfileobj(source, target)
    shutil.move('/tmp/b', '/tmp/a')`,
  'sendfile and copy_file_range': `
import os
open('/tmp/a', 'wb').write(b'x' * 8_000_000)
done = 0
for i in range(400):
    for copy in ('sendfile', 'copy_file_range'):
        source, target = os.open('/tmp/a', os.O_RDONLY), os.open('/tmp/%s%d' % (copy, i), os.O_WRONLY | os.O_CREAT)
        if copy == 'sendfile': done += os.sendfile(target, source, 0, 8_000_000)
        else: done += os.copy_file_range(source, target, 8_000_000)`,
  'scattered writing': `
import os
file = os.open('/tmp/x', os.O_RDWR | os.O_CREAT)
while True: os.writev(file, [b'x' * 1_000_000] * 16)`,
  'a pipe that nobody reads': `
import os
reader, writer = os.pipe()
while True: os.write(writer, b'x' * 1_000_000)`,
  'ever more pipes': `
import os
while True:
    reader, writer = os.pipe(); os.write(writer, b'x' * 60_000)`,
  'ever more small files': `
i = 0
while True:
    with open('/tmp/%d' % i, 'wb') as file: file.write(b'x' * 4096)
    i += 1`,
  'ever more folders with long names': `
import os
i = 0
while True: os.mkdir('/tmp/%0200d' % i); i += 1`,
  'folders in folders': `
import os
while True: os.mkdir('x'); os.chdir('x')`,
  'ever more names for descriptors': `
import os
file = os.open('/tmp/x', os.O_RDWR | os.O_CREAT)
while True: os.write(os.dup(file), b'x' * 1_000_000)`,
  'a database in a file': `
import sqlite3
db = sqlite3.connect('/tmp/x.db'); db.execute('PRAGMA journal_mode = OFF'); db.execute('CREATE TABLE t (x)')
while True: db.execute('INSERT INTO t VALUES (randomblob(10000000))')`,
  'a bomb unpacked into files': `
import zlib
bomb = zlib.compress(b'x' * 50_000_000)
for i in range(100): open('/tmp/%d' % i, 'wb').write(zlib.decompress(bomb))`,
  'memory and files at once': `
kept = []
for i in range(1000): kept.append(b'x' * 4_000_000); open('/tmp/%d' % i, 'wb').write(kept[-1])`,
  'a refusal that is caught, again and again': `
kept, i = [], 0
while i < 3000:
    i += 1
    try: kept.append(bytearray(b'x') * 8_000_000)
    except MemoryError: pass
    try: open('/tmp/%d' % i, 'wb').write(b'x' * 2_000_000)
    except (MemoryError, OSError): pass
assert False`,
  'mapped memory': `
import sys; sys.modules.pop('mmap', None); import mmap
kept = []
while True: kept.append(mmap.mmap(-1, 100_000_000)); kept[-1].write(b'x' * 100_000_000)`,
}).map(([name, code]) => ({ name, code }))
