/**
 * The rooms of `src/`, from left to right, in drawers: `core/` is pure, `system/` touches the machine, `commands/` has the capabilities,
 * `client/` leaves the package. A room imports only from itself and from rooms to its left, and no capability imports another.
 * Lint enforces this (`oxlint.config.js`), and `test/boundaries.test.ts` proves that it does. `src/README.md` describes the rooms.
 */

/**
 * @typedef {object} Room
 * @property {string} name - a folder of `src/`, or a file of it
 * @property {string} about - its contents, for `src/README.md`
 * @property {readonly string[]} [packages] - the restricted packages that it may import
 * @property {boolean} [alone] - whether it imports only from itself, because its files are copied out of this package
 * @property {true | 'io'} [system] - whether it may use the disk, the network and processes: all of it, or its `io/` and its command only
 * @property {readonly string[]} [pure] - its folders that may not
 * @property {boolean} [capability] - whether it implements a command: without its folder and its lines in `commands.ts`, the
 * rest works
 */

/** Packages that only one room may import, and the advice for other rooms. */
export const RESTRICTED_PACKAGES = {
  yaml: 'Only core/source/ imports the YAML library.',
  zod: 'Only the rooms with schemas import zod: core/source/, theme/ and users/.',
  culori: 'Only core/theme/ imports the colour library.',
  saxes: 'Only core/image/svg/ imports the XML parser.',
  sharp: 'Only system/decoder/ decodes images.',
  'fast-glob': 'Only compiler/ lists folders.',
};

/** @type {readonly Room[]} */
export const ROOMS = [
  {
    name: 'client',
    about: 'Types of the theme record, the client and fixtures. Copied into other projects, so it imports only itself.',
    alone: true,
  },
  {
    name: 'core/edge-runtime',
    about: 'The request handler for hosts that run code. Copied to them, so it imports only itself.',
    alone: true,
  },
  { name: 'core/diagnostics', about: 'The catalogue of diagnostics; formats, quoting, suggestions.' },
  { name: 'core/source', about: 'Text and YAML with positions; validation by field.', packages: ['yaml', 'zod'] },
  {
    name: 'core/theme',
    about:
      '`fields/`: the table of fields; schemas of `theme.yaml` and, in `site/`, of `site.yaml`; `colour/`; `extends`, checks across themes.',
    packages: ['zod', 'culori'],
  },
  {
    name: 'core/image',
    about:
      'Image formats and advice; `container/`: the parts of an image file; `svg/`: the allow-list; `css/`: style sheets in SVGs.',
  },
  {
    name: 'core/document',
    about:
      'The theme record, the documents of both endpoints, new themes; `page/`: HTML; `preview/`: sample pages; `files/`: lists of published files.',
  },
  { name: 'system/disk', about: 'Folders that symbolic links cannot escape, locks, stores.', system: true },
  { name: 'system/git', about: 'Runs Git as its user would.', system: true },
  {
    name: 'system/decoder',
    about: 'Decoder processes: thumbnails, icons, pixels.',
    packages: ['sharp'],
    system: true,
  },
  {
    name: 'core/users',
    about: 'Assignments of themes to users: files, duplicates, digests, shards.',
    packages: ['zod'],
    system: 'io',
  },
  {
    name: 'hosts',
    about:
      '`contract/`: what every host answers; `adapter/`: what adapters share; one folder per host; `explain/`: why a user gets a theme.',
  },
  {
    name: 'system/http',
    about: 'Requests, responses, lists of other services; one client, one server.',
    system: 'io',
  },
  {
    name: 'system/command-line',
    about: 'Flags, help, credentials, the root of a site.',
    system: true,
  },
  {
    name: 'compiler',
    about:
      '`build()` and `check()` by stages: `walk/`, `compile/`, `link/`, `publish/`, with a `store/`; `serve/`: the last build, read back; `openapi/`: schemas.',
    packages: ['fast-glob'],
    system: true,
    pure: ['openapi'],
  },
  {
    name: 'commands/changes',
    about: 'Differences between two states of the themes, such as a commit and the folder.',
    system: 'io',
  },
  {
    name: 'commands/start',
    about: 'The commands `init`, `new`, `client`.',
    system: true,
    capability: true,
  },
  { name: 'commands/check', about: 'The flags and the report of `check`.', system: true, capability: true },
  { name: 'commands/build', about: 'The flags and the report of `build`.', system: true, capability: true },
  { name: 'commands/serve', about: 'Serves the last build on this machine.', system: true, capability: true },
  { name: 'commands/who', about: 'Which theme a user gets, and who gets a theme.', system: 'io', capability: true },
  {
    name: 'commands/deploy',
    about: 'Uploads a build by the tools of its host, in a safe order.',
    system: 'io',
    capability: true,
  },
  {
    name: 'commands/verify',
    about: 'Compares a live deployment with the build, or with an older service.',
    system: 'io',
    capability: true,
  },
  {
    name: 'commands/import',
    about: 'Imports themes from another service.',
    system: 'io',
    capability: true,
  },
  {
    name: 'commands/diff',
    about: 'Reports what a change does, and to whom.',
    system: 'io',
    capability: true,
  },
  {
    name: 'commands/dev',
    about: 'The studio: `session/` watches and rebuilds, `edits/` writes, `pages/`: data to HTML.',
    system: true,
    pure: ['pages'],
    capability: true,
  },
  { name: 'commands.ts', about: 'The commands with their summaries.', system: true },
  { name: 'cli.ts', about: 'The executable.', system: true },
  { name: 'index.ts', about: 'The library: everything that is public.', system: true },
];

/** Folders of a room that may import a package which the room otherwise may not. */
export const SUBFOLDER_PACKAGES = { 'core/image/svg': 'saxes' };
