/**
 * The rooms of `src/`, from left to right: a room imports from itself and from the rooms left of it, never from the right. Lint enforces
 * it (`oxlint.config.js`), and `test/boundaries.test.ts` proves that it does. `src/README.md` says what is in each room.
 */

/**
 * @typedef {object} Room
 * @property {string} name - a folder of `src/`, or a file of it
 * @property {string} about - what is in it, for `src/README.md`
 * @property {readonly string[]} [packages] - the restricted packages that it may import
 * @property {boolean} [alone] - whether it imports only itself, because its files leave this package
 * @property {boolean} [system] - whether it may use the disk, the network and processes
 */

/** The packages that one room alone imports, and what to say elsewhere. */
export const RESTRICTED_PACKAGES = {
  yaml: 'Only source/ imports the YAML library.',
  zod: 'Only the rooms with schemas import zod: source/, theme/ and users/.',
  culori: 'Only theme/ imports the colour library.',
  saxes: 'Only image/svg/ imports the XML parser.',
  sharp: 'Only io/ decodes images.',
  'fast-glob': 'Only io/ lists folders.',
  'http-server': 'Only io/ opens sockets.',
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
  { name: 'document', about: 'The theme record, the documents and browsable pages of both endpoints, the manifest.' },
  { name: 'users', about: 'Who gets which theme: rows of users, duplicates, digests, shards.', packages: ['zod'] },
  { name: 'hosts', about: 'The contract of all hosts, the registry, and one adapter per host.' },
  { name: 'openapi', about: 'The published schemas: OpenAPI description and JSON Schema of the responses.' },
  { name: 'who', about: 'Which rule and which row decide the theme of a user.' },
  { name: 'verify', about: 'What a live deployment must return, as checks.' },
  { name: 'pages', about: 'The pages of the development server, from data to HTML.' },
  { name: 'scaffold', about: 'New repositories and themes: their files, placeholders for images.' },
  { name: 'import', about: 'What is taken from the list of another service, and what is not.' },
  { name: 'compare', about: 'What two services return, compared: themes, pixels, responses; and the reports.' },
  { name: 'cms', about: 'The page, the configuration and the previews of the CMS.' },
  {
    name: 'io',
    about: 'Disk, decoder processes and sockets: discover, probe, render, cache, publish, serve.',
    packages: ['sharp', 'fast-glob', 'http-server'],
    system: true,
  },
  { name: 'api.ts', about: 'The options and results of the library.', system: true },
  {
    name: 'resources.ts',
    about: 'What the stages of a build share: the cache, its index, the decoders.',
    system: true,
  },
  { name: 'pipeline.ts', about: 'The stages of a build.', system: true },
  {
    name: 'last-result.ts',
    about: 'The result of the last build or check, if nothing has changed since.',
    system: true,
  },
  { name: 'publish-themes.ts', about: 'Every stage of a build, up to the publication.', system: true },
  { name: 'build.ts', about: '`build()` and `check()`.', system: true },
  { name: 'render.ts', about: 'Thumbnails into the cache, for `themecast render`.', system: true },
  { name: 'import-themes.ts', about: 'Themes of another service, for `themecast import`.', system: true },
  { name: 'lookup.ts', about: 'Which theme a user gets, and who gets a theme, for `themecast who`.', system: true },
  { name: 'fix.ts', about: 'What `themecast fix` changes, and the changes written.', system: true },
  { name: 'dev', about: 'The development server: watch, rebuild, respond, reload.', system: true },
  { name: 'command-line', about: 'Flags, help, the root of a site, and reports, for all commands.', system: true },
  {
    name: 'commands',
    about: 'One file per command: flags and `run`; and the registry, with their summaries.',
    system: true,
  },
  { name: 'cli.ts', about: 'The executable.', system: true },
];

/** Folders within a room that may import a package which the rest of it may not. */
export const SUBFOLDER_PACKAGES = { 'image/svg': 'saxes' };
