import { RUN } from '../python/harness.ts'
import { PLAIN } from '../python/plain.ts'
import { POLICY } from '../python/policy.ts'
import { READY, REPLY_DESCRIPTOR, ACCEPTED } from '../wire.ts'
import { FILES_MB, HOME } from './bubblewrap.ts'
import { NUMERIC } from './numpy-to-plain.ts'

/** Command line parameter of the interpreter, as JSON. */
export interface HarnessConfig {
  readonly memoryMb: number
  /** Of stdout and of stderr. */
  readonly outputBytes: number
  /** The filter for running, base64. */
  readonly filter: string
  /** The number of seccomp(2). */
  readonly seccompCall: number
}

const SETTINGS = String.raw`
import asyncio as _asyncio
_HOME = '${HOME}'
_FOLDERS = ('/tmp/', _HOME + '/')
_HINTS['ModuleNotFoundError'] = lambda error: (
    'No module named %r: only the standard library of Python, numpy and pandas are available here.' % error.name)
_run_coroutine = _asyncio.run
`

/** Memory of unmodified pages of the interpreter and its libraries; 25 with numpy and pandas. */
const LIBRARIES_MB = 32

const SERVE = String.raw`
import ctypes as _ctypes, resource as _resource, struct as _struct, io as _io, time as _time

class _Capture(_io.RawIOBase):
    """Keeps what is printed, up to a number of bytes."""
    def __init__(self, limit):
        self.kept, self.left, self.truncated = [], limit, False
    def writable(self):
        return True
    def write(self, piece):
        piece = bytes(piece)
        if len(piece) > self.left:
            self.truncated = True
        if self.left > 0:
            self.kept.append(piece[:self.left])
            self.left -= len(self.kept[-1])
        return len(piece)
    def text(self):
        return b''.join(self.kept).decode('utf-8', 'ignore')

def _captured(limit):
    capture = _Capture(limit)
    stream = _io.TextIOWrapper(_io.BufferedWriter(capture), 'utf-8', errors='replace', write_through=True)
    return capture, stream

def _limit(memory_mb):
    mega = 1024 * 1024
    # Of the whole: files are memory, and so are the pages of programs and libraries. The rest is private memory. Addresses
    # alone cost nothing, but files that are mapped are counted there.
    private = memory_mb - ${FILES_MB} - ${LIBRARIES_MB}
    for resource, value in ((_resource.RLIMIT_DATA, private * mega), (_resource.RLIMIT_AS, (memory_mb + 1024) * mega),
                            (_resource.RLIMIT_FSIZE, 16 * mega), (_resource.RLIMIT_NPROC, 64),
                            (_resource.RLIMIT_NOFILE, 128), (_resource.RLIMIT_CPU, 600), (_resource.RLIMIT_CORE, 0),
                            (_resource.RLIMIT_MSGQUEUE, 0), (_resource.RLIMIT_MEMLOCK, 0)):
        _resource.setrlimit(resource, (value, value))

def _filter_calls(number, program):
    """Puts the filter on all threads, for good; bubblewrap has seen to no_new_privs."""
    memory = _ctypes.create_string_buffer(program, len(program))
    described = _struct.pack('@HP', len(program) // 8, _ctypes.addressof(memory))
    library = _ctypes.CDLL(None, use_errno=True)
    if library.syscall(_ctypes.c_long(number), _ctypes.c_long(1), _ctypes.c_long(1), described) != 0:
        raise OSError(_ctypes.get_errno(), 'The system call filter was refused')

def _say(line):
    piece = memoryview(line.encode('utf-8', 'replace') + b'\n')
    while len(piece) > 0:
        piece = piece[_os.write(${REPLY_DESCRIPTOR}, piece):]

def _answer(job, stdout, stderr):
    reply = {'nonce': job['nonce']}
    try:
        reply['report'] = _run_job(job['code'], job['data'], job['limits'])
    except BaseException as error:
        reply['crash'] = 'memory' if isinstance(error, MemoryError) else type(error).__name__
    return {**reply, 'stdout': stdout.text(), 'stderr': stderr.text(), 'truncated': stdout.truncated or stderr.truncated}

def _serve():
    config = _json_loads(_sys.argv[1])
    _sys.argv[:] = _sys.orig_argv[:] = ['python']
    _os.environ.clear()
    _os.environ.update(HOME=_HOME, USER='nobody')
    stdout, _sys.stdout = _captured(config['outputBytes'])
    stderr, _sys.stderr = _captured(config['outputBytes'])
    _sys.__stdout__, _sys.__stderr__ = _sys.stdout, _sys.stderr
    _limit(config['memoryMb'])
    _filter_calls(config['seccompCall'], _base64.b64decode(config['filter']))
    _say('${READY}')
    with open(0, 'rb', closefd=False) as given:
        text = given.read()
    if text != b'':
        _say('${ACCEPTED}')
        _say(_json_dumps(_answer(_json_loads(text), stdout, stderr)))
    # Not an end of its own: the parent looks at what it took, and kills.
    while True:
        _time.sleep(3600)

_serve()
`

/** The program of a process: loads everything, enables its restrictions, reports that it is ready, and waits. */
export const CPYTHON_HARNESS = [POLICY, PLAIN, NUMERIC, RUN, SETTINGS, SERVE].join('\n')
