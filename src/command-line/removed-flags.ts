const COOKIE = 'Use `--header Cookie=VARIABLE`, with the whole header, such as `session=9f2c`, in the variable.';
const TOKEN = 'Use `--header Authorization=VARIABLE`, with the whole header, such as `Bearer 9f2c`, in the variable.';

const LOG =
  'Both services are asked in every way that the contract knows; after the first share of requests, compare the errors in their logs.';

/** Flags of earlier versions, and what to do now; with the command, if others still have the flag. */
export const REMOVED_FLAGS: Readonly<Record<string, string>> = {
  '--verify-cache':
    'Delete `~/.local/state/themecast` (`$XDG_STATE_HOME`): the next build then reads every file again.',
  '--live': 'Run `verify URL --as USER`: it requests the theme of that user from the deployment, and compares.',
  'who --host': 'Use `--hostname`.',
  'dev --host': 'Use `--listen`.',
  '--releases':
    'Every document in the output is whole at every moment. To switch all of them at once, upload to a new folder and replace a link to it in the deployment.',
  '--cache-max': 'A cache is pruned to 1 GB, and never of what a build used.',
  'compare --html': 'An image that differs is printed with its path at both services.',
  'compare --access-log': LOG,
  'compare --log-sample': LOG,
  'compare --log-user': LOG,
  'compare --as':
    'Add the user to a file for `--sample`, with the header that OLD knows the user by in a further column.',
  '--cookie': COOKIE,
  '--token': TOKEN,
  '--previous': 'A deployment compares the store itself: leave it out.',
  'init --yes': 'Nothing is asked: leave it out.',
  'init --dry-run': 'Nothing is overwritten, and Git shows what is new.',
  'import --dry-run': 'Git shows what an import changes.',
  'import --media': 'Import from the URL of a service.',
  'import --convert': 'Correct the images that the import names, and put them into their themes.',
  'palette --write': 'The YAML is printed: put it into the theme.yaml.',
  'palette --themes': 'It reads no themes: leave it out.',
  'client --out': 'The file is printed: `themecast client > src/theme.ts`.',
  'client --check': 'Compare it: `themecast client | diff src/theme.ts -`.',
};
