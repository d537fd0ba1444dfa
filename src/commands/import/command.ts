import { existsSync } from 'node:fs';
import path from 'node:path';
import { defineCommand, UsageError, type ValuesOf } from '../../system/command-line/command.ts';
import { FLAGS } from '../../system/command-line/flags.ts';
import { progressLine } from '../../compiler/report.ts';
import { invocation, shellWord } from '../../system/command-line/invocation.ts';
import { isPublicUrl, PUBLIC_URL } from '../../core/theme/site/public-url.ts';
import type { ServiceSource } from './io/source.ts';

const flags = {
  themes: FLAGS.themes,
  header: {
    type: 'string',
    multiple: true,
    value: 'NAME=VARIABLE',
    about: 'Send this header to the host of the list, its value from the environment; may be repeated',
  },
  rate: { type: 'string', value: 'N', default: '10', about: 'Requests per second, at most' },
  'base-url': { type: 'string', value: 'ADDRESS', about: 'base_url of a new site.yaml (default: URL)' },
  'page-parameter': {
    type: 'string',
    value: 'NAME',
    about: 'Read pages by this query parameter, until one adds no theme',
  },
  expect: { type: 'string', value: 'N', about: 'The number of themes at the service' },
  quiet: { ...FLAGS.quiet, about: 'Print problems only' },
} as const;
type ImportFlags = ValuesOf<typeof flags>;

export const command = defineCommand({
  examples: ['import https://old.example.org', 'import https://old.example.org --header Cookie=SESSION'],
  argument: 'URL',
  flags,
  details: `URL is the part before /api/v2/theme/. Each theme becomes a folder with its originals. A new repository also gets the files
of \`init\`.

Import again and again while the service is still edited: the themes become what the service has now, and Git shows the
difference. So the themes folder must have no uncommitted changes. Themes are matched by id; those that the service does
not have stay, and are listed.

Sends only GET, and credentials only to the host of the list. Fields of images that the checks reject remain as comments,
and the exit code is 1.
`,
  async run(values, argument, _, call) {
    const { importThemes } = await import('./io/import-themes.ts');
    const { importReport } = await import('./io/report.ts');
    const { completeImport } = await import('./io/complete.ts');
    const { source, baseUrl } = await sourceOf(values, argument);
    const progress = progressLine(values.quiet);
    const { expect, 'page-parameter': pageParameter } = values;
    if (expect !== undefined && !/^[1-9]\d{0,5}$/.test(expect))
      throw new UsageError(`--expect must be the number of themes, such as 12, not \`${expect}\`.`);
    const expected = expect === undefined ? undefined : Number(expect);
    const again = `${invocation('import')} ${shellWord(argument)}`;
    const options = {
      themesDir: values.themes,
      cwd: process.cwd(),
      source,
      call: again,
      pageParameter,
      expected,
    };
    try {
      const result = await importThemes({ ...options, onProgress: progress.write });
      progress.clear();
      const themesDir = path.resolve(values.themes);
      const added = await completeImport(themesDir, baseUrl, result.plan.newValues, call);
      const { text, isComplete } = importReport(result, { ...values, added, source: argument });
      process.stdout.write(text);
      return isComplete ? 0 : 1;
    } finally {
      progress.clear();
      source.close();
    }
  },
});

async function sourceOf(
  { themes, header, rate, 'base-url': baseUrl }: ImportFlags,
  argument: string,
): Promise<{ source: ServiceSource; baseUrl: string }> {
  const { ServiceSource } = await import('./io/source.ts');
  const { serviceUrlOf } = await import('../../system/command-line/service-url.ts');
  const url = serviceUrlOf(argument);
  const publishedAt = baseUrl ?? url;
  if (!isPublicUrl(publishedAt) && !existsSync(path.join(themes, 'site.yaml')))
    throw new UsageError(
      `--base-url must be where the themes will be published, ${PUBLIC_URL}, not \`${publishedAt}\`.`,
    );
  const { givenHeaders } = await import('../../system/command-line/credentials.ts');
  const credentials = givenHeaders(header, (name) => process.env[name]) ?? {};
  const perSecond = Number(rate);
  if (!/^\d{1,3}(?:\.\d)?$/.test(rate) || perSecond <= 0)
    throw new UsageError(`--rate must be a number above 0, such as 10, not \`${rate}\`.`);
  const options = { origin: new URL(url).origin, rate: perSecond, credentials };
  return { source: new ServiceSource(url, options), baseUrl: publishedAt };
}
