/** The working directories of calls: sites without diagnostics, with errors and with a warning. */
export type Place = 'valid' | 'faulty' | 'warned';

/** A call of the command line whose output has a golden file. */
export interface Call {
  in?: Place;
  args: readonly string[];
}

/** The output of `build` and `check` in each format. */
function inFormats(name: string, where: Place, ...args: readonly string[]): Record<string, Call> {
  const calls = ['text', 'json', 'github'].map((format): [string, Call] => [
    `${name}-${format}`,
    { in: where, args: [...args, '--format', format] },
  ]);
  return Object.fromEntries(calls);
}

/** Calls of commands that exit by themselves and need no network. */
export const CALLS: Readonly<Record<string, Call>> = {
  ...inFormats('build', 'valid', 'build', '--allow-shrink'),
  'build-faulty': { in: 'faulty', args: ['build', '--out', 'public', '--edge-out', 'private'] },
  'build-warned': { in: 'warned', args: ['build'] },
  'build-strict': { in: 'warned', args: ['build', '--strict', '--out', 'strict'] },
  ...inFormats('check', 'valid', 'check'),
  ...inFormats('check-faulty', 'faulty', 'check'),
  ...inFormats('check-warned', 'warned', 'check'),
  'build-verbose': { in: 'valid', args: ['build', '--verbose'] },
  'build-quiet': { in: 'warned', args: ['build', '--quiet', '--out', 'quiet'] },
  'build-no-secret': { in: 'valid', args: ['build', '--themes', 'keyed', '--out', 'keyed-dist'] },
  'check-shard': { args: ['check', '--shard', '1/2', '--cache', 'shard'] },
  'build-folders': { args: ['build', '--out', 'www', '--edge-out', 'private'] },
  'check-quiet': { in: 'faulty', args: ['check', '--quiet'] },
  'check-backslashes': { args: ['check', '--themes', 'own\\themes'] },
  'check-no-themes': { in: 'valid', args: ['check', '--themes', 'nowhere'] },
  'who-user': { args: ['who', 'ann'] },
  'who-user-json': { args: ['who', 'ann', '--format', 'json'] },
  'who-user-and-group': { args: ['who', 'bob', '--group', 'staff'] },
  'who-group-json': { args: ['who', '--group', 'staff', '--format', 'json'] },
  'who-unknown': { args: ['who', 'nobody'] },
  'who-unknown-json': { args: ['who', 'nobody', '--format', 'json'] },
  'who-theme': { args: ['who', '--theme', 'meadow'] },
  'who-theme-json': { args: ['who', '--theme', 'meadow', '--format', 'json'] },
  'who-group-of-default': { args: ['who', '--group', 'guests', '--users', 'more/groups.csv'] },
  'who-other-case': { args: ['who', 'Ann'] },
  'who-other-case-in-file': { args: ['who', 'eve', '--users', 'more/users.csv'] },
  'who-misspelled-theme': { args: ['who', 'zoe', '--users', 'more/users.csv'] },
  'who-theme-misspelled': { args: ['who', '--theme', 'harbor', '--users', 'more/users.csv'] },
  'who-listed-again': { args: ['who', 'ann', '--users', 'more/users.csv'] },
  'who-listed-again-json': { args: ['who', 'ann', '--users', 'more/users.csv', '--format', 'json'] },
  'who-many': { args: ['who', 'u-998', '--users', 'more/many.csv'] },
  'who-theme-many': { args: ['who', '--theme', 'harbor', '--users', 'more/many.csv'] },
  'who-default-rule': { in: 'warned', args: ['who', 'tom', '--users', 'more/users.csv'] },
  'who-default-rule-json': { in: 'warned', args: ['who', 'tom', '--users', 'more/users.csv', '--format', 'json'] },
  'usage-compare': { args: ['compare'] },
  cms: { args: ['cms'] },
  'usage-no-command': { args: [] },
  'usage-command': { args: ['biuld'] },
  'usage-command-inherited': { args: ['toString'] },
  'usage-argument': { args: ['build', 'themes'] },
  'usage-flag': { args: ['build', '--ouy', 'x'] },
  'usage-flag-short': { args: ['check', '-x'] },
  'usage-flag-last': { args: ['build', '--out'] },
  'usage-flag-before-flag': { args: ['build', '--out', '--strict'] },
  'usage-flag-empty': { args: ['check', '--themes='] },
  'usage-flag-with-value': { args: ['build', '--strict=yes'] },
  'usage-flag-of-another': { args: ['check', '--port', '1'] },
  'usage-format': { args: ['check', '--format', 'xml'] },
  'usage-base-url': { args: ['check', '--base-url', 'ftp://example.org'] },
  'usage-port-range': { args: ['serve', '--port', '65536'] },
  'usage-cache-file': { args: ['check', '--cache', 'notes/todo.txt'] },
  'usage-port': { args: ['serve', '--port', 'http'] },
  'usage-shard': { args: ['check', '--shard', '9/8'] },
  'usage-who': { args: ['who'] },
  'usage-who-theme': { args: ['who', '--theme', 'medow'] },
  'usage-who-github': { args: ['who', 'ann', '--format', 'github'] },
  'usage-who-key': { args: ['who', 'a b'] },
  'usage-who-user-and-theme': { args: ['who', 'ann', '--theme', 'meadow'] },
  'usage-who-two': { args: ['who', 'ann', 'bob'] },
  'usage-verify-url': { args: ['verify', 'example.org'] },
  'usage-verify-host': { args: ['verify', 'https://example.org', '--host', 'iis'] },
  'usage-verify-no-build': { args: ['verify', 'https://example.org', '--out', 'nowhere'] },
  'usage-serve-no-build': { args: ['serve', '--out', 'nowhere'] },
  'usage-out-foreign': { args: ['build', '--out', 'notes'] },
};
