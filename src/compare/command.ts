import { defineCommand, UsageError } from '../command-line/command.ts';
import { flags } from './io/flags.ts';

const DETAILS = `OLD and NEW are URLs, the part before /api/v2/theme/; NEW is the last build unless it is given. Themes are compared by id,
images by their bytes, then by their pixels.

--sample takes the users of FILE: each further column is a header by which OLD knows the user (user,theme_id,Cookie).
Without one, OLD gets what NEW gets: the key, by the first rule of identity that names users. Users are printed by line.

Sends GET, HEAD and OPTIONS only, and credentials to the two endpoints of each service alone. Exits with 1 if anything differs that --accept does not name. The text names at most
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
  async run(given, argument, second) {
    if (!['text', 'json'].includes(given.format))
      throw new UsageError(`--format must be text or json, not \`${given.format}\`.`);
    const { compare } = await import('./io/compare.ts');
    return compare(given, argument, second);
  },
});
