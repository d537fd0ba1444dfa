import type { CommandEntry } from './system/command-line/command.ts';

/** The commands by role, in the order in which they are listed. The command line, its help and docs/cli.md are made from them. */
export const COMMANDS = {
  init: {
    role: 'author',
    summary: 'Start a repository of themes, with a first theme, editor settings and CI',
    load: () => import('./commands/start/init-command.ts'),
  },
  new: {
    role: 'author',
    summary: 'Start a new theme, from a logo, a colour or another theme',
    load: () => import('./commands/start/new-command.ts'),
  },
  import: {
    role: 'author',
    summary: 'Import the themes of another service, or what has changed there; reads only',
    load: () => import('./commands/import/command.ts'),
  },
  dev: {
    role: 'author',
    summary: 'Show and edit the themes in the browser; proposes changes as a branch, publishes nothing',
    load: () => import('./commands/dev/command.ts'),
  },
  check: {
    role: 'author',
    summary: 'Check the themes as a build does, and publish nothing',
    load: () => import('./commands/check/command.ts'),
  },
  diff: {
    role: 'author',
    summary: 'Show what a change of the themes does, and to whom, before it is merged; read-only',
    load: () => import('./commands/diff/command.ts'),
  },
  build: {
    role: 'publish',
    summary: 'Check the themes and publish all of them, or none',
    load: () => import('./commands/build/command.ts'),
  },
  serve: {
    role: 'publish',
    summary: 'Serve the last build on 127.0.0.1, responding as the hosts do',
    load: () => import('./commands/serve/command.ts'),
  },
  client: {
    role: 'publish',
    summary: 'Write the types of the theme record and a client for web front ends, as one file',
    load: () => import('./commands/start/client-command.ts'),
  },
  deploy: {
    role: 'publish',
    summary: 'Put the last build live by the tools of the host, in the right order, and verify it',
    load: () => import('./commands/deploy/command.ts'),
  },
  verify: {
    role: 'operate',
    summary: 'Compare a deployment with the last build and the contract, or with an older service',
    load: () => import('./commands/verify/command.ts'),
  },
  who: {
    role: 'operate',
    summary: 'Show which theme a user gets, and why; read-only',
    load: () => import('./commands/who/command.ts'),
  },
} as const satisfies Readonly<Record<string, CommandEntry>>;
