import { ContainmentError } from '../../system/disk/contained-folder.ts';
import { errorCode, systemReason } from '../../system/disk/files.ts';
import { ThemecastError } from '../../core/diagnostics/themecast-error.ts';

/** Returns an error about the output: it cannot be written, another program made it, or far less would be published than before. */
export function publishError(message: string, options?: { cause: unknown }): ThemecastError {
  return new ThemecastError('publish', message, options);
}

/** The remedy for a failed system call, by its code. */
const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: 'Make room on the disk',
  EROFS: 'Name another output folder',
  EACCES: 'Give the user that runs the build write access to it',
  EPERM: 'Give the user that runs the build the right to change it',
  EMFILE: 'Raise the limit of open files (ulimit -n)',
};

/**
 * Returns a handler that wraps a failed system call, which refers to internal files, in an error about the output.
 * @param folder - what cannot be written. Default: some files have been moved already
 */
export function failsIn(folder?: string): (error: unknown) => never {
  return (error) => {
    const code = errorCode(error);
    if (error instanceof ContainmentError) throw publishError(error.message, { cause: error });
    if (code === undefined) throw error;
    const problem =
      folder === undefined
        ? `Not every new file could be moved into place: ${systemReason(error)}. Each published file is complete, old or new, and the next build moves the rest.`
        : `${folder} cannot be written: ${systemReason(error)}.`;
    const advice = ADVICE[code];
    throw publishError(advice === undefined ? problem : `${problem} ${advice}, and build again.`, { cause: error });
  };
}
