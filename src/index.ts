/**
 * themecast as a library. Everything that is exported here is public, and nothing else is.
 * @module
 */
export type { BuildOptions, BuildResult, BuildStage, BuildSuccess, CheckOptions, CheckResult } from './compiler/api.ts';
export { build, check } from './compiler/build.ts';
export { formatDiagnostics, type FormatOptions } from './compiler/source-text.ts';
export type { ImageSet, LogoAlignment, LogoType, ThemeRecord } from './client/types.ts';
export type { Code } from './core/diagnostics/catalogue.ts';
export { type ErrorCode, ThemecastError } from './core/diagnostics/themecast-error.ts';
export type { Diagnostic, Location, Position, Severity } from './core/diagnostics/diagnostic.ts';
export type { StopSignal } from './compiler/publish/publication.ts';
export type { EdgeHost } from './core/theme/site/site.ts';
