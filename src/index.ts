export { build, check, type BuildOptions, type BuildResult, type CheckOptions, type CheckResult } from './build.ts';
export type { Code, Diagnostic, Location, Position, Severity } from './diagnostics/diagnostic.ts';
export type { ImageSet, ThemeRecord } from './document/record.ts';
