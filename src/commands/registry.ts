import type { Listed } from '../command-line/command.ts';

/** The commands, in the order in which they are listed. The command line, its help and docs/cli.md are made from them. */
export const COMMANDS = {
  init: {
    summary: 'Start a repository of themes, with a first theme, editor settings and CI',
    load: () => import('./init.ts'),
  },
  new: {
    summary: 'Start a new theme, from a logo, a colour or another theme',
    load: () => import('./new.ts'),
  },
  palette: {
    summary: 'Propose the nine colours of a theme, from its logo or from one colour',
    load: () => import('./palette.ts'),
  },
  import: {
    summary: 'Import the themes of another service, or what has changed there; reads only',
    load: () => import('./import.ts'),
  },
  check: {
    summary: 'Check the themes without decoding images or publishing anything',
    load: () => import('./check.ts'),
  },
  fix: {
    summary: 'Fix the diagnostics that have one certain fix',
    load: () => import('./fix.ts'),
  },
  dev: {
    summary: 'Preview the themes while you edit them; publishes nothing',
    load: () => import('./dev.ts'),
  },
  build: {
    summary: 'Check the themes and publish all of them, or none',
    load: () => import('./build.ts'),
  },
  render: {
    summary: 'Render thumbnails into the cache, or a share of them; publishes nothing',
    load: () => import('./render.ts'),
  },
  serve: {
    summary: 'Serve the last build on 127.0.0.1, responding as the hosts do',
    load: () => import('./serve.ts'),
  },
  verify: {
    summary: 'Compare a live deployment with the last build and the contract; read-only',
    load: () => import('./verify.ts'),
  },
  compare: {
    summary: 'Compare two theme services, such as the old one and its replacement; read-only',
    load: () => import('./compare.ts'),
  },
  who: {
    summary: 'Show which theme a user gets, and why; read-only',
    load: () => import('./who.ts'),
  },
  schema: {
    summary: 'Write the JSON schemas with which editors complete and check the YAML files',
    load: () => import('./schema.ts'),
  },
  client: {
    summary: 'Write the types of the theme record and a client for web front ends, as one file',
    load: () => import('./client.ts'),
  },
  cms: {
    summary: 'Write a page for editing the themes in the browser, as pull requests',
    load: () => import('./cms.ts'),
  },
} as const satisfies Readonly<Record<string, Listed>>;
