import type { CheckOptions, CheckResult } from '../api.ts';
import { formatGithub } from '../diagnostics/format-github.ts';
import { formatJson } from '../diagnostics/format-json.ts';
import { formatText } from '../diagnostics/format-text.ts';
import { visibleLines } from '../diagnostics/quote.ts';
import { isPublicUrl, PUBLIC_URL } from '../theme/public-url.ts';
import { UsageError } from './command.ts';
import type { FlagValues } from './flags.ts';

const FORMATS = new Set(['text', 'json', 'github']);

type ThemeFlags = FlagValues<'themes' | 'base-url'> & Partial<FlagValues<'users' | 'cache' | 'no-cache' | 'strict'>>;

/** The options of `build` and `check` that their flags have in common. */
export function checkOptions(flags: ThemeFlags & FlagValues<'format'>): CheckOptions & { cwd: string } {
  if (!FORMATS.has(flags.format))
    throw new UsageError(`--format must be text, json or github, not \`${flags.format}\`.`);
  const baseUrl = flags['base-url'] ?? (process.env['THEMECAST_BASE_URL'] || undefined);
  if (baseUrl !== undefined && !isPublicUrl(baseUrl)) {
    const source = flags['base-url'] === undefined ? 'THEMECAST_BASE_URL' : '--base-url';
    throw new UsageError(`${source} must be ${PUBLIC_URL}, not \`${baseUrl}\`.`);
  }
  return {
    themesDir: flags.themes,
    cacheDir: flags['no-cache'] ? undefined : flags.cache,
    baseUrl,
    strict: flags.strict,
    users: flags.users,
    cwd: process.cwd(),
  };
}

/** Prints the diagnostics in the requested format, then the summary. */
export function printReport(
  result: CheckResult,
  flags: FlagValues<'format' | 'quiet'>,
  summary: object,
  text: string,
): void {
  const { diagnostics, texts } = result;
  const { stdout } = process;
  const textOf = (file: string): string | undefined => texts.get(file);
  if (flags.format === 'json') {
    stdout.write(formatJson(diagnostics, summary));
    return;
  }
  const colour = stdout.isTTY && !process.env['NO_COLOR'];
  stdout.write(formatText(diagnostics, textOf, colour));
  if (flags.format === 'github') stdout.write(formatGithub(diagnostics));
  if (!flags.quiet) stdout.write(visibleLines(text));
}
