import { check } from '../build.ts';
import { count } from '../diagnostics/quote.ts';
import { invocation, shellWord } from '../io/invocation.ts';
import { checkOptions, printFindings } from './findings.ts';
import { FLAGS } from './flags.ts';
import type { Run } from './registry.ts';
import { outputOf, repeated } from './site-root.ts';

export const run: Run = async (flags) => {
  const started = performance.now();
  const result = await check({ ...checkOptions(flags), outDir: outputOf(flags.themes ?? FLAGS.themes.default) });
  const { ok, themes, users } = result;
  const given = flags.users === undefined ? [] : ['--users', shellWord(flags.users)];
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const text = ok
    ? `✔ ${count(themes.length, 'theme')} and ${count(users, 'user')} with a theme of their own checked in ${seconds} s\n\nNext: \`${invocation('build', [...repeated(flags, ['themes']), ...given])}\` publishes them.\n`
    : '✘ The themes cannot be published like this.\n';
  printFindings(result, flags, { ok, themes: themes.length, users }, text);
  return ok ? 0 : 1;
};
