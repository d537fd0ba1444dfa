import { showsColours } from '../command-line/colours.ts';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ImageFigures } from './html-report.ts';
import type { Requester } from './requesters.ts';
import type { Comparison } from './result.ts';
import { defineCommand, UsageError, type ValuesOf } from '../command-line/command.ts';
import { FLAGS } from '../command-line/flags.ts';
import { progressLine } from '../build/report.ts';
import type { IdentityRule } from '../edge-runtime/rules.ts';
import type { Opened } from './io/open.ts';
import type { CompareOptions } from './io/run.ts';

/** Requests of an access log that are sent at most. */
const MAX_LOGGED = 200;

const DETAILS = `OLD and NEW are URLs, the part before /api/v2/theme/; NEW is the last build unless it is given. Themes are compared by id,
images by their bytes, then by their pixels.

--sample takes the users of FILE: each further column is a header by which OLD knows the user (user,theme_id,Cookie).
Without one, OLD gets what NEW gets: the key, by the first rule of identity that names users. Users are printed by line.

Sends GET, HEAD and OPTIONS only. Exits with 1 if anything differs that --accept does not name. The text and the page name
at most 100 differences of a group, JSON all.
`;

const flags = {
  out: { ...FLAGS.out, about: 'Public output of the build that is NEW' },
  'edge-out': { ...FLAGS['edge-out'], about: 'Private output of that build: its rules of identity' },
  sample: {
    type: 'string',
    value: 'FILE:N',
    about: 'Compare CONFIG for N users of a CSV file, always the same ones',
  },
  header: {
    type: 'string',
    multiple: true,
    value: 'NAME=VARIABLE',
    about: 'Request CONFIG with this header too, its value from the environment; may be repeated',
  },
  'list-header': {
    type: 'string',
    multiple: true,
    value: 'NAME=VARIABLE',
    about: 'Request LIST of OLD with this header, for a list behind a login; may be repeated',
  },
  origin: {
    type: 'string',
    multiple: true,
    value: 'ORIGIN',
    about: 'Compare what pages of this origin may read, beside those that the build lists; may be repeated',
  },
  'access-log': { type: 'string', value: 'FILE', about: 'Send both services up to 200 of these requests, too' },
  'log-user': { type: 'string', value: 'FIELD', about: 'The field of the log with the key of the user (none)' },
  accept: { type: 'string', value: 'FILE', about: 'Known differences, each with a reason' },
  'media-host': { type: 'string', multiple: true, value: 'HOST', about: 'Fetch images from this host too' },
  rate: { type: 'string', value: 'N', default: '10', about: 'Requests per second to each service, at most' },
  html: { type: 'string', value: 'FILE', about: 'Write a page that shows the images that differ' },
  quiet: { ...FLAGS.quiet, about: 'Print differences only' },
  format: { ...FLAGS.format, about: 'Results as text or json' },
} as const;
type Given = ValuesOf<typeof flags>;

export const command = defineCommand({
  examples: [
    'compare https://old.example.org',
    'compare https://old.example.org https://community.example.org --html comparison.html',
  ],
  argument: 'OLD [NEW]',
  flags,
  details: DETAILS,
  async run(given, argument, second) {
    if (!['text', 'json'].includes(given.format))
      throw new UsageError(`--format must be text or json, not \`${given.format}\`.`);
    const { CompareError } = await import('./io/compare-error.ts');
    const { NoBuildError } = await import('../io/output/built.ts');
    try {
      return await compare(given, argument, second);
    } catch (error) {
      if (error instanceof CompareError || error instanceof NoBuildError) throw new UsageError(error.message);
      throw error;
    }
  },
});

async function compare(given: Given, argument: string, second: string | undefined): Promise<number> {
  const { serviceUrlOf } = await import('../command-line/service-url.ts');
  const { openNew, openOld } = await import('./io/open.ts');
  const { readAcceptFile } = await import('./io/inputs.ts');
  const { compareServices } = await import('./io/run.ts');
  const { accept } = await import('./accept.ts');
  const { remedies } = await import('./remedies.ts');
  const { ImageFigures } = await import('./html-report.ts');
  const { checkWritable } = await import('../command-line/writable-file.ts');
  if (given.html !== undefined) checkWritable('--html', given.html);
  const oldUrl = serviceUrlOf(argument);
  const newUrl = second === undefined ? undefined : serviceUrlOf(second);
  if (oldUrl === newUrl)
    throw new UsageError(
      `OLD and NEW are the same service, ${oldUrl}. Name two, or leave NEW out to compare with a build.`,
    );
  const accepted = given.accept === undefined ? [] : await readAcceptFile(given.accept);
  const options = { rate: rateOf(given.rate), mediaHosts: given['media-host'] };
  const origins = given.origin.map(originOf);
  const listHeaders = await listHeadersOf(given);
  const progress = progressLine(given.quiet || given.format === 'json');
  const images = new ImageFigures();
  const opened: Opened[] = [];
  try {
    const old = await openOld(oldUrl, options, listHeaders);
    opened.push(old);
    const now = await openNew(newUrl, { out: given.out, edge: given['edge-out'] }, options);
    opened.push(now);
    const found = await compareServices({
      old: old.side,
      new: now.side,
      requesters: await requestersOf(given),
      origins: [...new Set([...origins, ...now.origins])],
      ...(await logOf(given, old, now)),
      onProgress: progress.show,
      show: (compared, pixels) => given.html !== undefined && images.add(compared, pixels),
    });
    progress.clear();
    const known = accept(found.compared, accepted);
    const comparison = { ...found, hints: [...found.hints, ...remedies(known.compared)], ...known };
    return await print(comparison, images, { old: old.shown, new: now.shown }, given);
  } finally {
    progress.clear();
    for (const { close } of opened) await close();
  }
}

function originOf(text: string): string {
  if (URL.canParse(text) && new URL(text).origin === text) return text;
  throw new UsageError(`--origin must be an origin, such as https://app.example.org, not \`${text}\`.`);
}

/** What LIST of the old service takes, if it is behind a login. */
async function listHeadersOf(given: Given): Promise<Record<string, string> | undefined> {
  const { givenHeaders } = await import('../command-line/credentials.ts');
  return givenHeaders({ header: given['list-header'] }, secret, '--list-header');
}

async function print(
  comparison: Comparison,
  images: ImageFigures,
  urls: { old: string; new: string },
  { format, html, quiet }: Given,
): Promise<number> {
  const { formatComparison, formatComparisonJson } = await import('./format-text.ts');
  const { unaccepted } = await import('./result.ts');
  if (html !== undefined) {
    const { htmlReport } = await import('./html-report.ts');
    await writeFile(html, htmlReport(comparison, images, urls));
  }
  const { stdout } = process;
  const colour = showsColours();
  stdout.write(
    format === 'json' ? formatComparisonJson(comparison, urls) : formatComparison(comparison, { colour, quiet, urls }),
  );
  return unaccepted(comparison).length === 0 ? 0 : 1;
}

const secret = (name: string): string | undefined => process.env[name];

/** Everyone who requests CONFIG: as nothing but CONFIG is read, credentials go nowhere else. */
async function requestersOf(given: Given): Promise<Requester[]> {
  const { givenHeaders } = await import('../command-line/credentials.ts');
  const headers = givenHeaders({ header: given.header }, secret);
  const own = headers === undefined ? [] : [{ what: 'given credentials', old: headers, new: headers }];
  if (given.sample === undefined) return own;
  const all = [...own, ...(await sampleOf(given.sample, await identityOf(given)))];
  if (all.includes(undefined))
    throw new UsageError(
      'No client can send the key of a user by the rules of identity of this site: name the credentials of one user with --header.',
    );
  return all.filter((requester) => requester !== undefined);
}

async function identityOf(given: Given): Promise<readonly IdentityRule[]> {
  const { readRules } = await import('../io/output/built.ts');
  return (await readRules(given['edge-out'])).identity;
}

async function sampleOf(text: string, identity: readonly IdentityRule[]): Promise<(Requester | undefined)[]> {
  const { requesterOf } = await import('./requesters.ts');
  const { readSample } = await import('./io/inputs.ts');
  const [, file = '', size = ''] = /^(.+):(\d{1,6})$/.exec(text) ?? [];
  if (file === '' || Number(size) === 0)
    throw new UsageError(`--sample must be FILE:N, such as themes/users.csv:50, not \`${text}\`.`);
  const users = await readSample(file, Number(size));
  const name = path.basename(file);
  return users.map(({ line, key, headers }) => requesterOf(`user ${name}:${line}`, key, headers, identity, secret));
}

async function logOf(given: Given, old: Opened, now: Opened): Promise<Pick<CompareOptions, 'logged' | 'logName'>> {
  const file = given['access-log'];
  if (file === undefined) return { logged: [], logName: '' };
  const { readAccessLog } = await import('./io/inputs.ts');
  const { requesterOf } = await import('./requesters.ts');
  const userField = given['log-user'];
  const basePaths = [old, now].map(({ side }) => new URL(side.url).pathname.replace(/\/$/, ''));
  const requests = await readAccessLog(file, MAX_LOGGED, { basePaths, userField });
  if (requests.length === 0)
    throw new UsageError(
      `\`${file}\` has no GET, HEAD or OPTIONS request of this service. It must be in the combined format, or JSON, one object per line.`,
    );
  const identity = userField === undefined ? [] : await identityOf(given);
  const logged = requests.map((request) => {
    const { user } = request;
    const requester = user === undefined ? undefined : requesterOf('', user, undefined, identity, secret);
    return { request, headers: requester?.new ?? {} };
  });
  return { logged, logName: path.basename(file) };
}

function rateOf(text: string): number {
  const rate = /^\d{1,4}(?:\.\d)?$/.test(text) ? Number(text) : 0;
  if (rate <= 0 || rate > 1000) throw new UsageError(`--rate must be a number from 1 to 1000, not \`${text}\`.`);
  return rate;
}
