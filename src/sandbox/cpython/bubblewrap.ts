import { REPLY_DESCRIPTOR } from '../wire.ts'
import { readablePaths, type CPython } from './installation.ts'

/** The user `nobody` of Linux. */
export const NOBODY = 65_534
/** The descriptor from which bubblewrap reads the filter. */
export const FILTER_DESCRIPTOR = REPLY_DESCRIPTOR + 1
/** The folder that code works in. */
export const HOME = '/home/python'
/** The descriptor to which bubblewrap writes the pid of its child. */
export const INFO_DESCRIPTOR = FILTER_DESCRIPTOR + 1
/** Of each of the folders that can be written, in megabytes; files there are memory. */
const FOLDER_MB = 32
const FOLDERS = ['/tmp', HOME]
/** Total size of all folders. */
export const FILES_MB = FOLDER_MB * FOLDERS.length

/**
 * Arguments for bubblewrap (bwrap(1), 0.7 or newer) up to and with the name of the program: namespaces of its own for
 * everything, no rights, no environment; the interpreter's files read-only, two small folders in memory, and no `/proc`.
 */
export function bubblewrapArguments(installation: CPython): readonly string[] {
  const nobody = String(NOBODY)
  const libraries = ['OPENBLAS', 'OMP', 'MKL', 'NUMEXPR']
  return [
    // All that there are; the user's is demanded, where `--unshare-all` would go without.
    ['--unshare-all', '--unshare-user', '--uid', nobody, '--gid', nobody, '--hostname', 'sandbox'],
    ['--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--clearenv'],
    readablePaths(installation).flatMap((path) => ['--ro-bind-try', path, path]),
    ['--symlink', 'usr/lib', '/lib', '--symlink', 'usr/lib64', '/lib64'],
    ['--dev-bind', '/dev/null', '/dev/null', '--dev-bind', '/dev/urandom', '/dev/urandom'],
    FOLDERS.flatMap((folder) => ['--size', String(FOLDER_MB * 1024 * 1024), '--tmpfs', folder]),
    // The root is memory as well, and would have no limit.
    ['--remount-ro', '/', '--chdir', HOME, '--setenv', 'HOME', HOME],
    // By default these libraries start a thread per processor.
    libraries.flatMap((name) => ['--setenv', `${name}_NUM_THREADS`, '1']),
    ['--seccomp', String(FILTER_DESCRIPTOR), '--info-fd', String(INFO_DESCRIPTOR)],
    [installation.python],
  ].flat()
}
