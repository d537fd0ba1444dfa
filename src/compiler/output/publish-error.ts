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
  EDQUOT: 'Make room on the disk',
  EIO: 'Check the disk',
  EROFS: 'Name another output folder',
  EACCES: 'Give the user that runs the build write access to it',
  EPERM: 'Give the user that runs the build the right to change it',
  EMFILE: 'Raise the limit of open files (ulimit -n)',
  ENFILE: 'Raise the limit of open files of the machine',
  EXDEV: 'Keep all of it on one file system',
};

/** Wraps a failed system call in an error about the folder: the call itself refers to internal files. */
export function wrapError(error: unknown, folder: string): Error {
  const code = errorCode(error);
  if (code === undefined) return asError(error);
  const advice = ADVICE[code];
  return publishError(
    `${folder} cannot be written: ${systemReason(error)}.${advice === undefined ? '' : ` ${advice}, and build again.`}`,
    { cause: error },
  );
}

/** Wraps a failed system call after some files have been moved. */
export function wrapHalfwayError(error: unknown): Error {
  const code = errorCode(error);
  if (code === undefined) return asError(error);
  const advice = ADVICE[code];
  return publishError(
    `Not every new file could be moved into place: ${systemReason(error)}. Each published file is complete, old or new, and the next build moves the rest.${advice === undefined ? '' : ` ${advice}, and build again.`}`,
    { cause: error },
  );
}

function asError(error: unknown): Error {
  if (error instanceof ContainmentError) return publishError(error.message, { cause: error });
  return error instanceof Error ? error : new Error(String(error));
}
