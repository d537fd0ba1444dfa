import { quote } from '../quote.ts';
import { warning } from './entry.ts';

/** Diagnostics about the output folders and what lies beside them. */
export const outputCatalogue = {
  'output/tracked': warning('output or state of a build that Git tracks', {
    message: ({ path, hasUsers }: { path: string; hasUsers: boolean }) =>
      hasUsers
        ? `Git tracks ${quote(path)}, which holds the keys of users: everyone who can read the repository can read them.`
        : `Git tracks ${quote(path)}, which a build writes: whoever can push decides what it finds there.`,
    hint: ({ path, hasUsers }) =>
      `Take it out of the repository: \`git rm -r --cached ${path}\`, and name it in \`.gitignore\`.${hasUsers ? ' What was pushed stays in the history until that is rewritten.' : ''}`,
  }),
  'output/foreign-state': warning('a record of a publication that this user did not write on this machine', {
    message: ({ path }: { path: string }) =>
      `${quote(path)} was not written by this user on this machine, so the publication and releases that it names are ignored.`,
    hint: ({ path }) =>
      `Remove it: \`rm ${path}\`. Releases and media that no build names then stay until you remove them.`,
  }),
};
