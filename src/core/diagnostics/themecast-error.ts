/**
 * Failures that are not the fault of the themes. The `cache` or the published files (`publish`) cannot be written; the `users-file` cannot
 * be read; the `decoder` does not start; the `key-secret` is missing or too short; another build has `locked` the output; two keys have the
 * same shortened digest by chance (`digest-collision`).
 */
export type ErrorCode = 'cache' | 'decoder' | 'digest-collision' | 'key-secret' | 'locked' | 'publish' | 'users-file';

/** A failure that is not the fault of the themes: `code` identifies it, and `message` has the remedy. */
export class ThemecastError extends Error {
  override readonly name = 'ThemecastError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}
