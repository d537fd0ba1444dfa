import { defineCommand, UsageError, type ValuesOf } from '../command-line/command.ts';
import { FLAGS } from '../command-line/flags.ts';

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

export type CompareFlags = ValuesOf<typeof flags>;

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
    const { compare } = await import('./io/compare.ts');
    return compare(given, argument, second);
  },
});
