/**
 * The rooms of `src/`, from left to right. A room imports from itself and from rooms to its left, and no capability imports another. Lint
 * enforces this (`oxlint.config.js`), and `test/boundaries.test.ts` proves that it does. `src/README.md` describes the rooms.
 */

/**
 * @typedef {object} Room
 * @property {string} name - a folder of `src/`, or a file of it
 * @property {string} about - what is in it, for `src/README.md`
 * @property {readonly string[]} [packages] - the restricted packages that it may import
 * @property {boolean} [alone] - whether it imports only itself, because its files leave this package
 * @property {true | 'io'} [system] - whether it may use the disk, the network and processes: all of it, or its `io/` and its command only
 * @property {readonly string[]} [pure] - folders of it that may not
 * @property {boolean} [capability] - whether it is something that a person does: without its folder and its lines in `commands.ts`, the
 * rest works
 */

/** Packages that only one room may import, and the advice for other rooms. */
export const RESTRICTED_PACKAGES = {
  yaml: 'Only source/ imports the YAML library.',
  zod: 'Only the rooms with schemas import zod: source/, theme/ and users/.',
  culori: 'Only theme/ imports the colour library.',
  saxes: 'Only image/svg/ imports the XML parser.',
  sharp: 'Only decoder/ decodes images.',
  'fast-glob': 'Only compiler/ lists folders.',
};

/** @type {readonly Room[]} */
export const ROOMS = [
  {
    name: 'client',
    about:
      'The types of the theme record, the client that `themecast client` writes into other projects, and fixtures. It imports only itself.',
    alone: true,
  },
  {
    name: 'edge-runtime',
    about: 'The request handler that is copied to hosts that run code. It imports only itself.',
    alone: true,
  },
  { name: 'diagnostics', about: 'The catalogue of diagnostics, their formats, quoting and suggestions.' },
  { name: 'source', about: 'Text and YAML with positions; validation field by field.', packages: ['yaml', 'zod'] },
  {
    name: 'theme',
    about: 'The schemas of `theme.yaml` and `site.yaml`, colours, `extends`, and checks across themes.',
    packages: ['zod', 'culori'],
  },
  {
    name: 'image',
    about:
      'Image formats, thumbnail specs and published names; `container/`: the parts of an image file; `svg/`: the allow-list.',
  },
  {
    name: 'document',
    about:
      'The theme record, the documents and browsable pages of both endpoints, the manifest; the files of a new theme; `preview/`: a sample page, and the page of a team.',
  },
  { name: 'disk', about: 'Files and folders that links do not lead out of, locks, stores of results.', system: true },
  { name: 'git', about: 'Git as it reads and writes a checkout that is not trusted.', system: true },
  {
    name: 'decoder',
    about: 'Decoder processes, and the thumbnails, icons and pixels that they make.',
    packages: ['sharp'],
    system: true,
  },
  {
    name: 'users',
    about: 'Who gets which theme: assignments, duplicates, digests, shards; `io/`: the files and worker threads.',
    packages: ['zod'],
    system: 'io',
  },
  {
    name: 'hosts',
    about:
      'The contract of all hosts, the registry, one adapter per host; which rule and which row decide the theme of a user.',
  },
  {
    name: 'http',
    about: 'Requests and responses, lists of other services; `io/`: one client with limits, one server.',
    system: 'io',
  },
  {
    name: 'command-line',
    about: 'Flags, help, credentials, the root of a site: what all commands share.',
    system: true,
  },
  {
    name: 'compiler',
    about:
      'Compile each theme, link the site, publish the difference: `build()` and `check()`, and the commands `build`, `check` and `serve`. `output/`: how files get into place; `openapi/`: the published schemas.',
    packages: ['fast-glob'],
    system: true,
    pure: ['openapi'],
  },
  {
    name: 'changes',
    about:
      'What differs between two states of the themes, one of which may be a commit, and what Git has of themes: for `diff`, `dev` and `import`.',
    system: 'io',
  },
  {
    name: 'probe',
    about: 'What `verify` and `compare` ask a service: the table of requests, what headers mean, and the report.',
  },
  {
    name: 'start',
    about: 'The commands that make what people work with: `init`, `new`, `schema`, `client`.',
    system: true,
    capability: true,
  },
  { name: 'who', about: '`who`: which theme a user gets, and who gets a theme.', system: 'io', capability: true },
  {
    name: 'deploy',
    about: '`deploy`: what changes, whether it may go live, and the script that does it.',
    system: 'io',
    capability: true,
  },
  {
    name: 'verify',
    about: '`verify`: what a live deployment must return, by the build.',
    system: 'io',
    capability: true,
  },
  {
    name: 'import',
    about: '`import`: what is taken from another service, and what is not.',
    system: 'io',
    capability: true,
  },
  {
    name: 'compare',
    about: '`compare`: what two services return: themes, pixels, responses; and the reports.',
    system: 'io',
    capability: true,
  },
  {
    name: 'diff',
    about: '`diff`: what a change of the themes does, and to whom; and the reports.',
    system: 'io',
    capability: true,
  },
  {
    name: 'cms',
    about: '`cms`: the page, the configuration and the previews of the CMS.',
    system: 'io',
    capability: true,
  },
  {
    name: 'dev',
    about: '`dev`: watch, rebuild, respond, reload; `pages/`: from data to HTML.',
    system: true,
    pure: ['pages'],
    capability: true,
  },
  { name: 'commands.ts', about: 'The registry: the commands with their summaries.', system: true },
  { name: 'cli.ts', about: 'The executable.', system: true },
  { name: 'index.ts', about: 'The library: what is public.', system: true },
];

/** Folders within a room that may import a package which other files of the room may not. */
export const SUBFOLDER_PACKAGES = { 'image/svg': 'saxes' };
