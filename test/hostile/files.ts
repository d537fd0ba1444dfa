import { execFileSync } from 'node:child_process';
import { cp, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { type Case, meadow } from './case.ts';

const FILE = 'meadow/theme.yaml';
const LOGO = `${FILE}:4:7`;

/** Renames the folder of the second theme. */
function renamed(name: string, code: Case['code'] = 'theme/slug', at = name): Case {
  return {
    about: `a folder called ${JSON.stringify(name.slice(0, 40))}`,
    make: (themesDir) => rename(path.join(themesDir, 'meadow'), path.join(themesDir, name)),
    code,
    at,
  };
}

function image(about: string, logo: string, code: Case['code'], make?: Case['make']): Case {
  return { about, files: meadow({ logo: JSON.stringify(logo) }), ...(make && { make }), code, at: LOGO };
}

/** A socket outlives its server only if the process exits, so the name is held until the folder is removed. */
function listen(file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer().unref().once('error', reject);
    server.listen(file, resolve);
  });
}

const pipe = (file: string): void => void execFileSync('mkfifo', [file]);

export const files: readonly Case[] = [
  {
    about: 'no themes folder',
    make: (themesDir) => rm(themesDir, { recursive: true }),
    code: 'theme/folder-missing',
    at: '',
  },
  {
    about: 'no theme',
    make: async (themesDir) => {
      for (const slug of ['harbor', 'meadow']) await rm(path.join(themesDir, slug), { recursive: true });
    },
    code: 'theme/none',
    at: '',
  },
  { about: 'two defaults', files: meadow({ is_default: 'true' }), code: 'theme/second-default', at: `${FILE}:5:13` },
  {
    about: 'no default',
    make: (themesDir) => rm(path.join(themesDir, 'harbor'), { recursive: true }),
    code: 'theme/extends-unknown',
    at: `${FILE}:1:10`,
  },
  { about: 'a duplicate id', files: meadow({ id: '1' }), code: 'theme/duplicate-id', at: `${FILE}:2:5` },
  renamed('Meadow'),
  renamed('cafe\u0301'),
  {
    about: 'two folders with equivalent Unicode names',
    make: async (themesDir) => {
      for (const name of ['caf\u00e9', 'cafe\u0301'])
        await cp(path.join(themesDir, 'meadow'), path.join(themesDir, name), { recursive: true });
    },
    code: 'theme/slug',
    at: 'cafe\u0301',
  },
  ...['CON', 'con', '-rf', '__proto__', 'a b', '%41', 'x#y', 'x?y', 'a_b', 'a.b', '\u{1f600}'].map((name) =>
    renamed(name),
  ),
  renamed('a'.repeat(255)),
  renamed('two\nlines', 'file/name', ''),
  renamed('\u001b[31mred', 'file/name', ''),
  renamed('index', 'theme/reserved-slug'),
  {
    about: 'a name that is not UTF-8',
    make: (themesDir) =>
      mkdir(Buffer.concat([Buffer.from(`${themesDir}/bad`), Buffer.from([0xff])])).then(() => undefined),
    code: 'file/name',
    at: '',
  },
  image('a symbolic link as an image', 'a.svg', 'image/not-a-file', (themesDir) =>
    symlink('/etc/passwd', path.join(themesDir, 'meadow/a.svg')),
  ),
  image('a symbolic link to a folder', 'out/logo.svg', 'image/not-a-file', (themesDir) =>
    symlink('../harbor', path.join(themesDir, 'meadow/out')),
  ),
  image('a link loop', 'a.svg', 'image/not-a-file', (themesDir) =>
    symlink('a.svg', path.join(themesDir, 'meadow/a.svg')),
  ),
  {
    about: 'an unused link to the parent folder',
    make: (themesDir) => symlink('..', path.join(themesDir, 'meadow/loop')),
    code: 'file/not-a-file',
    at: 'meadow/loop',
  },
  {
    about: 'a symbolic link as a theme',
    make: (themesDir) => symlink('meadow', path.join(themesDir, 'prairie')),
    code: 'file/not-a-file',
    at: 'prairie',
  },
  image('an image of another theme', '../harbor/logo.svg', 'image/path'),
  image('an image two folders up', 'a/../../harbor/logo.svg', 'image/path'),
  ...['/etc/passwd', 'C:/a.svg', 'a\\\\b.svg', 'a//b.svg', '.', './', 'a/./b.svg'].map((name) =>
    image(`an image called ${name}`, name, 'image/path'),
  ),
  ...['http://a.example/a.svg', 'file:///etc/passwd', 'javascript:alert(1)', 'data:,a', '//a.example/a.svg'].map(
    (url) => image(`an image at ${url}`, url, 'image/url-insecure'),
  ),
  image('a pipe as an image', 'a.svg', 'image/not-a-file', (themesDir) => pipe(path.join(themesDir, 'meadow/a.svg'))),
  image('a socket as an image', 'a.svg', 'image/not-a-file', (themesDir) =>
    listen(path.join(themesDir, 'meadow/a.svg')),
  ),
  {
    about: 'a pipe as theme.yaml',
    make: async (themesDir) => {
      await rm(path.join(themesDir, FILE));
      pipe(path.join(themesDir, FILE));
    },
    code: 'file/not-a-file',
    at: FILE,
  },
  {
    about: 'a pipe as users.csv',
    make: (themesDir) => pipe(path.join(themesDir, 'users.csv')),
    code: 'file/not-a-file',
    at: 'users.csv',
  },
  {
    about: 'an unused pipe',
    make: (themesDir) => pipe(path.join(themesDir, 'meadow/pipe')),
    code: 'file/not-a-file',
    at: 'meadow/pipe',
  },
  image('a name in another case', 'Logo.svg', 'image/not-found'),
  {
    about: 'an unused file',
    make: (themesDir) => writeFile(path.join(themesDir, 'meadow/notes.txt'), 'a'),
    code: 'image/unused',
    at: 'meadow/notes.txt',
  },
  {
    about: 'a folder called theme.yaml',
    make: async (themesDir) => {
      await rm(path.join(themesDir, FILE));
      await mkdir(path.join(themesDir, FILE));
    },
    code: 'file/not-a-file',
    at: FILE,
  },
  image('a folder as an image', 'images', 'image/not-a-file', async (themesDir) => {
    await mkdir(path.join(themesDir, 'meadow/images'));
  }),
  {
    about: 'theme.yml beside theme.yaml',
    files: { 'meadow/theme.yml': 'id: 3\n' },
    code: 'theme/second-file',
    at: 'meadow/theme.yml',
  },
  {
    about: 'theme.yml alone',
    make: (themesDir) => rename(path.join(themesDir, FILE), path.join(themesDir, 'meadow/theme.yml')),
    code: 'theme/file-missing',
    at: 'meadow',
  },
  {
    about: 'site.yml beside site.yaml',
    files: { 'site.yml': 'a: b\n' },
    code: 'theme/unexpected-file',
    at: 'site.yml',
  },
  {
    about: 'a theme in a hidden folder',
    files: { '.draft/theme.yaml': 'id: 3\n' },
    code: 'theme/slug',
    at: '.draft',
  },
  {
    about: 'names with a dot, of every kind',
    files: { '.DS_Store': 'Bud1', '.git/HEAD': 'ref: refs/heads/main\n', 'meadow/.gitkeep': '' },
    make: async (themesDir) => {
      const at = (name: string): string => path.join(themesDir, name);
      pipe(at('.pipe'));
      await listen(at('.socket'));
      for (const [target, name] of Object.entries({ nowhere: '.broken', '.loop': '.loop', 'site.yaml': '.link' }))
        await symlink(target, at(name));
    },
    code: 'fine',
  },
];
