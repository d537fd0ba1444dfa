import { quote } from '../quote.ts';
import { warning } from './entry.ts';

/** Diagnostics about the output directory and the edge directory. */
export const outputCatalogue = {
  'output/tracked': warning('build output or state that Git tracks', {
    message: ({ path, hasUsers }: { path: string; hasUsers: boolean }) =>
      hasUsers
        ? `Git tracks ${quote(path)}, which contains user keys: everyone with access to the repository can read them.`
        : `Git tracks ${quote(path)}, which a build writes: anyone who can push can change what the next build reads.`,
    hint: ({ path, hasUsers }) =>
      `Remove it from the repository with \`git rm -r --cached ${path}\`, and add it to \`.gitignore\`.${hasUsers ? ' What was pushed remains in the history until you rewrite it.' : ''}`,
  }),
};
