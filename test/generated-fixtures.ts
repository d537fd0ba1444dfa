import { execFileSync } from 'node:child_process';
import { appendFile, copyFile, mkdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { draw } from './images.ts';

/** Changes that cannot be committed, by fixture; made in the copy of the themes folder. */
export const generatedFixtures: Readonly<Record<string, (themesDir: string) => Promise<void>>> = {
  'file.too-large': async (themesDir) => {
    await truncate(path.join(themesDir, 'meadow/theme.yaml'), 256 * 1024 + 1);
  },
  'yaml.too-many-values': async (themesDir) => {
    await appendFile(path.join(themesDir, 'meadow/theme.yaml'), `colours:\n${'  - blue\n'.repeat(5000)}`);
  },
  'yaml.too-deep-2': async (themesDir) => {
    await appendFile(path.join(themesDir, 'meadow/theme.yaml'), `colours: ${'['.repeat(100_000)}`);
  },
  'mapping.too-large': async (themesDir) => {
    // Sparse files take no disk space.
    await mkdir(path.join(themesDir, 'users'));
    for (const name of ['a', 'b']) await writeFile(path.join(themesDir, `users/${name}.csv`), 'user,theme\n');
    await truncate(path.join(themesDir, 'users/a.csv'), 2_000_000_001);
  },
  'file.more': async (themesDir) => {
    const fields = Array.from({ length: 110 }, (_, index) => `colour_${index}: blue\n`);
    await appendFile(path.join(themesDir, 'meadow/theme.yaml'), fields.join(''));
  },
  'image.too-large': async (themesDir) => {
    await truncate(path.join(themesDir, 'meadow/logo.svg'), 25 * 1024 * 1024 + 1);
  },
  'image.heavy': async (themesDir) => {
    let seed = 1;
    const noise = (): number => (seed = (seed * 48_271) % 2_147_483_647) % 256;
    const icon = draw(450, 450, () => [noise(), noise(), noise()]);
    await writeFile(path.join(themesDir, 'meadow/icon.png'), await icon.png().toBuffer());
  },
  'svg.limit-2': async (themesDir) => {
    const svg = await readFile(path.join(themesDir, 'meadow/logo.svg'), 'utf8');
    await writeFile(path.join(themesDir, 'meadow/logo.svg'), svg + ' '.repeat(1024 * 1024));
  },
  // macOS file systems treat both names as equal.
  'image.not-found-6': async (themesDir) => {
    const theme = path.join(themesDir, 'meadow');
    await copyFile(path.join(theme, 'logo.svg'), path.join(theme, 'cafe\u0301.svg'));
    await appendFile(path.join(theme, 'theme.yaml'), 'logo_inverse: caf\u00e9.svg\n');
  },
  'image.unused-2': async (themesDir) => {
    const theme = path.join(themesDir, 'meadow');
    await copyFile(path.join(theme, '../harbor/logo-inverse.svg'), path.join(theme, 'cafe\u0301.svg'));
    await copyFile(path.join(theme, '../harbor/logo-inverse.svg'), path.join(theme, 'caf\u00e9.svg'));
    await appendFile(path.join(theme, 'theme.yaml'), 'logo_inverse: caf\u00e9.svg\n');
  },
  'image.not-a-file-2': async (themesDir) => {
    await replaceByLink(path.join(themesDir, 'meadow/logo.svg'), '../harbor/logo.svg');
    await symlink('../harbor', path.join(themesDir, 'meadow/shared'));
    await symlink('nowhere.svg', path.join(themesDir, 'meadow/dangling.svg'));
  },
  'file.not-a-file': async (themesDir) => {
    await replaceByLink(path.join(themesDir, 'meadow/theme.yaml'), '../harbor/theme.yaml');
    await replaceByLink(path.join(themesDir, 'site.yaml'), 'harbor/theme.yaml');
    await symlink('meadow', path.join(themesDir, 'prairie'));
  },
  'file.not-a-file-2': async (themesDir) => {
    const users = path.join(themesDir, 'users');
    await mkdir(path.join(users, 'folder.csv'), { recursive: true });
    await writeFile(path.join(themesDir, '../elsewhere.csv'), 'user,theme\nann,meadow\n');
    await symlink('../../elsewhere.csv', path.join(users, 'link.csv'));
    await symlink('nowhere.ndjson', path.join(users, 'dangling.ndjson'));
    await symlink('../meadow', path.join(users, 'meadow.csv'));
    await symlink('link.csv', path.join(users, 'list.txt'));
    await writeFile(path.join(themesDir, 'users.yaml'), 'files: {meadow: [users/list.txt]}\n');
    execFileSync('mkfifo', [path.join(users, 'pipe.csv')]);
  },
  'file.not-a-file-3': async (themesDir) => {
    await mkdir(path.join(themesDir, '../elsewhere'));
    await writeFile(path.join(themesDir, '../elsewhere/a.csv'), 'user,theme\nann,meadow\n');
    await symlink('../elsewhere', path.join(themesDir, 'users'));
    await symlink('../elsewhere/a.csv', path.join(themesDir, 'users.csv'));
  },
  'file.not-a-file-4': async (themesDir) => {
    await rm(path.join(themesDir, 'meadow/theme.yaml'));
    await mkdir(path.join(themesDir, 'meadow/theme.yaml/deeper'), { recursive: true });
    await rm(path.join(themesDir, 'site.yaml'));
    await mkdir(path.join(themesDir, 'site.yaml'));
    await symlink('nowhere', path.join(themesDir, 'harbor/nowhere.svg')); // named by no field
  },
  'file.name': async (themesDir) => {
    await mkdir(path.join(themesDir, 'two\nlines'));
    await writeFile(Buffer.concat([Buffer.from(`${themesDir}/meadow/caf`), Buffer.from([0xe9])]), '');
  },
  'theme.file-missing-3': async (themesDir) => {
    await mkdir(path.join(themesDir, 'empty'));
  },
  'theme.folder-missing': async (themesDir) => {
    await rm(themesDir, { recursive: true });
  },
  'theme.folder-missing-2': async (themesDir) => {
    await rm(themesDir, { recursive: true });
    await writeFile(themesDir, 'not a folder\n');
  },
};

async function replaceByLink(file: string, target: string): Promise<void> {
  await rm(file);
  await symlink(target, file);
}
