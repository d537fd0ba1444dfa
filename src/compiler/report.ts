import path from 'node:path';
import type { CheckOptions, CheckResult } from './api.ts';
import { count, visibleLines } from '../core/diagnostics/quote.ts';
import type { StoreFlags } from './store-flags.ts';
import { isPublicUrl, PUBLIC_URL } from '../core/theme/site/public-url.ts';
import { showsColours } from '../system/command-line/colours.ts';
import { UsageError } from '../system/command-line/command.ts';
import type { FlagValues } from '../system/command-line/flags.ts';

const FORMATS = new Set(['text', 'json', 'github', 'gitlab']);

type ThemeFlags = FlagValues<'themes' | 'base-url'> & Partial<FlagValues<'users' | 'cache' | 'no-cache' | 'strict'>>;

/** Returns the options that `build` and `check` share. */
export async function checkOptions(flags: ThemeFlags & FlagValues<'format'>): Promise<CheckOptions & { cwd: string }> {
  if (!FORMATS.has(flags.format))
    throw new UsageError(`--format must be text, json, github or gitlab, not \`${flags.format}\`.`);
  const baseUrl = flags['base-url'] ?? (process.env['THEMECAST_BASE_URL'] || undefined);
  if (baseUrl !== undefined && !isPublicUrl(baseUrl)) {
    const source = flags['base-url'] === undefined ? 'THEMECAST_BASE_URL' : '--base-url';
    throw new UsageError(`${source} must be ${PUBLIC_URL}, not \`${baseUrl}\`.`);
  }
  const { cacheOf } = await import('./store-flags.ts');
  return {
    themesDir: flags.themes,
    cacheDir: cacheOf(flags),
    baseUrl,
    strict: flags.strict,
    users: flags.users,
    cwd: process.cwd(),
  };
}

/** Explains why a command with diagnostics did nothing: `fix the errors above`, or warnings that are errors with `--strict`. */
export function whyNot({ diagnostics }: Pick<CheckResult, 'diagnostics'>): string {
  const warnings = diagnostics.filter(({ severity }) => severity === 'warning').length;
  const isStrict = warnings > 0 && warnings === diagnostics.length;
  return isStrict
    ? `with --strict, ${count(warnings, 'warning')} ${warnings === 1 ? 'counts as an error' : 'count as errors'}`
    : 'fix the errors above';
}

/** Prints the diagnostics in the requested format, then the summary. */
export async function printReport(
  result: CheckResult,
  flags: FlagValues<'themes' | 'format' | 'quiet' | 'verbose'> & StoreFlags,
  summary: object,
  text: string,
): Promise<void> {
  const { diagnostics } = result;
  const { stdout } = process;
  if (flags.format === 'json') {
    const { formatJson } = await import('../core/diagnostics/format-json.ts');
    stdout.write(formatJson(diagnostics, summary));
    return;
  }
  if (flags.format === 'gitlab') {
    const { formatGitlab } = await import('../core/diagnostics/format-gitlab.ts');
    stdout.write(formatGitlab(diagnostics, path.relative(process.env['CI_PROJECT_DIR'] ?? '', '')));
    return;
  }
  if (diagnostics.length > 0) {
    const [{ formatReport }, { sourceText }] = await Promise.all([
      import('../core/diagnostics/format-report.ts'),
      import('./source-text.ts'),
    ]);
    const style = { colour: showsColours(), verbose: flags.verbose };
    stdout.write(formatReport(diagnostics, sourceText(flags.themes, process.cwd()), style));
    if (flags.format === 'github')
      stdout.write((await import('../core/diagnostics/format-github.ts')).formatGithub(diagnostics));
  }
  if (flags.quiet) return;
  const { gitLines, storeLines } = await import('./store-flags.ts');
  stdout.write(visibleLines([...storeLines(flags), ...(await gitLines(flags)), text].join('\n')));
}

/** Shows progress in one line of a terminal, which is overwritten; nothing if the output is logged. */
export function progressLine(quiet: boolean): {
  write: (text: string) => void;
  show: (done: number, all: number) => void;
  clear: () => void;
} {
  const { stderr } = process;
  const visible = stderr.isTTY && !quiet;
  const write = (text: string): void => {
    if (visible) stderr.write(`\r\u001b[K${text}`);
  };
  return {
    write,
    show: (done, all) => write(`${done} of ${all} themes`),
    clear: () => {
      if (visible) stderr.write('\r\u001b[K');
    },
  };
}
