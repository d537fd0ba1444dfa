import { defineCommand, UsageError } from '../command-line/command.ts';
import { flags } from './io/flags.ts';

const DETAILS = `OLD and NEW are URLs, the part before /api/v2/theme/; NEW is the last build unless it is given. Themes are compared by id,
images by bytes, then by pixels.

--sample reads users from FILE: each further column is a header that identifies the user at OLD (user,theme_id,Cookie).
Without such a column, OLD and NEW get the same key, by the first identity rule for users. Users are printed by line.

Sends only GET, HEAD and OPTIONS, and credentials only to the two endpoints of each service. Exits with 1 if there is a difference that --accept does not list. The text lists at most
100 differences of a group, JSON all.
`;

export const command = defineCommand({
  examples: [
    'compare https://old.example.org',
    'compare https://old.example.org https://community.example.org --accept accepted.yaml',
  ],
  argument: 'OLD [NEW]',
  flags,
  details: DETAILS,
  async run(values, argument, second) {
    if (!['text', 'json'].includes(values.format))
      throw new UsageError(`--format must be text or json, not \`${values.format}\`.`);
    const { compare } = await import('./io/compare.ts');
    return compare(values, argument, second);
  },
});
