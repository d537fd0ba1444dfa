import { isPublicUrl, PUBLIC_URL } from '../theme/site.ts';
import type { CheckOptions, CheckResult } from '../api.ts';
import { formatGithub } from '../diagnostics/format-github.ts';
import { formatJson } from '../diagnostics/format-json.ts';
import { formatText } from '../diagnostics/format-text.ts';
import { visibleLines } from '../diagnostics/quote.ts';
import { type FlagValues, UsageError } from './flags.ts';

const FORMATS = new Set(['text', 'json', 'github']);

/** What `build` and `check` have in common of their flags. */
export function checkOptions(flags: FlagValues): CheckOptions & { cwd: string } {
  if (!FORMATS.has(flags.format ?? ''))
    throw new UsageError(`--format must be text, json or github, not \`${flags.format}\`.`);
  const baseUrl = flags['base-url'] ?? (process.env['THEMECAST_BASE_URL'] || undefined);
  if (baseUrl !== undefined && !isPublicUrl(baseUrl)) {
    const source = flags['base-url'] === undefined ? 'THEMECAST_BASE_URL' : '--base-url';
    throw new UsageError(`${source} must be ${PUBLIC_URL}, not \`${baseUrl}\`.`);
  }
  return {
    themesDir: flags.themes ?? '',
    cacheDir: flags['no-cache'] ? undefined : flags.cache,
    baseUrl,
    strict: flags.strict,
    users: flags.users,
    cwd: process.cwd(),
  };
}

/** Prints the findings in the format that was asked for, and the summary after them. */
export function printFindings(result: CheckResult, flags: FlagValues, summary: object, text: string): void {
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
