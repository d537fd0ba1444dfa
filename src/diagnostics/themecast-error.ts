/**
 * The failures that are not the fault of the themes: the folder of the `cache`, the published files (`publish`) or a `temporary-file` cannot be
 * written, or must not be; the `users-file` cannot be read; the `decoder` cannot be started; the `key-secret` is missing or too short;
 * the output is `locked` by another build; two keys have the same shortened digest by chance (`digest-collision`).
 */
export type ErrorCode =
  | 'cache'
  | 'decoder'
  | 'digest-collision'
  | 'key-secret'
  | 'locked'
  | 'publish'
  | 'temporary-file'
  | 'users-file';

/** A failure that is not the fault of the themes: `code` identifies it, and `message` says what to do. */
export class ThemecastError extends Error {
  /** How an error is recognised that another thread has passed on as an `Error`. */
  override readonly name = 'ThemecastError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}
