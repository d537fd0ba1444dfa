/**
 * themecast as a library. Everything that is exported here is public, and nothing else is.
 * @module
 */
export type { BuildOptions, BuildResult, CheckOptions, CheckResult } from './compiler/api.ts';
export { build, check } from './compiler/build.ts';
export type { ImageSet, LogoAlignment, LogoType, ThemeRecord } from './client/types.ts';
export type { Code } from './diagnostics/catalogue.ts';
export type { Diagnostic, Location, Position, Severity } from './diagnostics/diagnostic.ts';
export { CacheError } from './compiler/cache-error.ts';
export { DecoderError } from './io/decoder/process.ts';
export { LockedError } from './io/disk/lock.ts';
export type { PublicationOptions } from './compiler/output/tracked-output.ts';
export { PublishError } from './compiler/output/publish-error.ts';
export type { StopSignal } from './compiler/output/staging.ts';
export { type AssignmentOptions, KeySecretError, type ShardOptions } from './io/users/read-assignments.ts';
export { TemporaryFileError } from './io/users/spill.ts';
export { UsersFileError } from './users/users-file-error.ts';
export { DigestCollisionError } from './users/dedupe.ts';
export type { EdgeHost } from './theme/site.ts';
