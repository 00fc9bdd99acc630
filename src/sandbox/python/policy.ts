/**
 * Python that checks the syntax tree of a job for forbidden operations. It only makes the refusal early and clear: the
 * closed bridge, the permission model and the system call filter isolate the code without it.
 */
export const POLICY = String.raw`
import ast as _ast

_FORBIDDEN_MODULES = frozenset('''asyncio subprocess socket socketserver ssl ctypes multiprocessing js pyodide pyodide_js
_pyodide _pyodide_core micropip webbrowser pty fcntl mmap resource importlib imp pickle marshal shelve dbm gc code codeop pdb
runpy urllib http ftplib smtplib poplib imaplib telnetlib xmlrpc requests httpx aiohttp posix nt signal _thread'''.split())
_FORBIDDEN_OS = frozenset('''system popen fork forkpty kill killpg abort execl execle execlp execlpe execv execve execvp
execvpe spawnl spawnle spawnlp spawnlpe spawnv spawnve spawnvp spawnvpe posix_spawn posix_spawnp startfile environ getenv
environb putenv chroot mknod symlink link setuid setgid mount dup dup2 pipe openpty'''.split())
_FORBIDDEN_SYS = frozenset('''modules meta_path path_hooks _getframe settrace setprofile addaudithook
_current_frames'''.split())
_FORBIDDEN_CALLS = frozenset('exec eval compile __import__ breakpoint'.split())
_FORBIDDEN_ATTRIBUTES = frozenset('''__globals__ __subclasses__ __builtins__ __loader__ __code__ __closure__ __bases__
__mro__ __base__ __getattribute__ __reduce__ __reduce_ex__ __spec__ f_globals f_locals f_back f_builtins gi_frame cr_frame
tb_frame __import__'''.split())
_FOLDERS = ('/tmp/', '/home/pyodide/')

def _forbidden(tree):
    for node in _ast.walk(tree):
        found = _forbidden_node(node)
        if found:
            return 'line %d: %s' % (getattr(node, 'lineno', 0), found)
    return None

def _forbidden_node(node):
    if isinstance(node, _ast.Import):
        for alias in node.names:
            if alias.name.split('.')[0] in _FORBIDDEN_MODULES:
                return 'import of "%s"' % alias.name
    elif isinstance(node, _ast.ImportFrom):
        root = (node.module or '').split('.')[0]
        if root in _FORBIDDEN_MODULES:
            return 'import of "%s"' % node.module
        banned = {'os': _FORBIDDEN_OS, 'sys': _FORBIDDEN_SYS}.get(root, ())
        for alias in node.names:
            if alias.name in banned:
                return '"%s.%s"' % (root, alias.name)
    elif isinstance(node, _ast.Attribute):
        if node.attr in _FORBIDDEN_ATTRIBUTES:
            return 'attribute "%s"' % node.attr
        if isinstance(node.value, _ast.Name):
            banned = {'os': _FORBIDDEN_OS, 'sys': _FORBIDDEN_SYS}.get(node.value.id, ())
            if node.attr in banned:
                return '"%s.%s"' % (node.value.id, node.attr)
    elif isinstance(node, _ast.Name):
        if node.id in _FORBIDDEN_CALLS or node.id == '__builtins__' or node.id == '__loader__':
            return '"%s"' % node.id
    elif isinstance(node, _ast.Call):
        return _forbidden_path(node)
    return None

def _forbidden_path(node):
    name = node.func.id if isinstance(node.func, _ast.Name) else getattr(node.func, 'attr', '')
    if name not in ('open', 'Path', 'listdir', 'scandir', 'walk', 'read_text') or not node.args:
        return None
    first = node.args[0]
    if isinstance(first, _ast.Constant) and isinstance(first.value, str):
        path = first.value
        if path.startswith(('/', '~')) and not (path + '/').startswith(_FOLDERS) or '..' in path.split('/'):
            return 'a path outside of the working folder, "%s"' % path[:80]
    return None
`
