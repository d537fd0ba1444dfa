import { quote } from '../quote.ts';
import { error } from './entry.ts';

const PROBLEMS = {
  missing: 'does not exist',
  foreign: 'was not written by `themecast client`',
  edited: 'has been edited since `themecast client` wrote it',
  outdated: 'is not the client of this version of themecast',
} as const;

/** Diagnostics about the file that `themecast client` writes. */
export const clientCatalogue = {
  'client/stale': error('a client file that this version of themecast would write otherwise', {
    message: ({ file, problem }: { file: string; problem: keyof typeof PROBLEMS; above?: string | undefined }) =>
      `${quote(file)} ${PROBLEMS[problem]}.`,
    hint: ({ problem, above }) => {
      if (problem === 'foreign') return 'Name the file that it wrote: `--out FILE`.';
      if (above !== undefined)
        return `There is a file of that name in a folder above: run the command in ${quote(above)}.`;
      return 'Run the command without `--check` to write it again.';
    },
  }),
};
