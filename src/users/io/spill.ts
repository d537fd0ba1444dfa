import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Extent, SpillStore } from '../spill-store.ts';
import { systemReason } from '../../disk/files.ts';
import { ThemecastError } from '../../diagnostics/themecast-error.ts';

/**
 * A temporary file without a name: it ends with the process, however that ends, and no other process can open it. Threads share its
 * descriptor and its length.
 */
export class Spill implements SpillStore {
  readonly fd: number;
  /** Number of bytes written so far, by all threads. */
  readonly length: BigInt64Array;

  private constructor(fd: number, length: BigInt64Array) {
    this.fd = fd;
    this.length = length;
  }

  static create(): Spill {
    const file = path.join(tmpdir(), `themecast-${randomUUID()}`);
    try {
      const fd = openSync(file, 'wx+', 0o600);
      unlinkSync(file);
      return new Spill(fd, new BigInt64Array(new SharedArrayBuffer(8)));
    } catch (error) {
      throw spillError(error);
    }
  }

  /** Returns the spill of another thread. */
  static shared({ fd, length }: Pick<Spill, 'fd' | 'length'>): Spill {
    return new Spill(fd, length);
  }

  append(bytes: Uint8Array): Extent {
    const at = Number(Atomics.add(this.length, 0, BigInt(bytes.length)));
    try {
      for (let done = 0; done < bytes.length;) done += writeSync(this.fd, bytes, done, bytes.length - done, at + done);
    } catch (error) {
      throw spillError(error);
    }
    return { at, length: bytes.length };
  }

  read({ at, length }: Extent): Buffer {
    const bytes = Buffer.allocUnsafeSlow(length);
    for (let done = 0; done < length;) {
      const read = readSync(this.fd, bytes, done, length - done, at + done);
      if (read === 0) throw new Error('A temporary file was cut short.');
      done += read;
    }
    return bytes;
  }

  close(): void {
    closeSync(this.fd);
  }
}

/** Returns an error with the folder and a remedy; a system error about a file without a name has neither. */
function spillError(error: unknown): ThemecastError {
  return new ThemecastError(
    'temporary-file',
    `A temporary file in ${tmpdir()} cannot be written: ${systemReason(error)}. Set TMPDIR to a folder with room for 200 bytes per user.`,
    { cause: error },
  );
}
