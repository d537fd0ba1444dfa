import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { run } from './command-line.ts';
import { makeSite, removeSite } from './site-folder.ts';

/** Replacements of a compiled theme, or of a part of it. */
const FORGED = [null, {}, [], '', 1, [null], { 'logo.svg': null }];
const PARTS = ['source', 'images', 'diagnostics', 'unused', undefined] as const;

it(
  'a command that fails because of forged cached results works when it is run again',
  { timeout: 120_000 },
  async () => {
    const site = await makeSite({ themes: { harbor: {}, meadow: {} } });
    const env = { XDG_STATE_HOME: path.join(site.root, '.state') };
    const build = () => run(['build', '--quiet', '--cache', '.cache'], { cwd: site.root, env });
    try {
      expect(await build()).toMatchObject({ code: 0 });
      const folder = path.join(site.root, '.cache/index');
      const [name = ''] = await readdir(folder);
      const file = path.join(folder, name);
      const lines = (await readFile(file, 'utf8')).trimEnd().split('\n').slice(0, -1);
      let failures = 0;
      for (const [at, line] of lines.entries())
        for (const [forged, part] of FORGED.flatMap((value) => PARTS.map((part) => [value, part] as const))) {
          const [key = '', text = ''] = line.split('\t');
          const entry = JSON.parse(text) as { compiled: object };
          // The checksum is right: anyone who can write the file can compute it.
          const value = part === undefined ? forged : { ...entry, compiled: { ...entry.compiled, [part]: forged } };
          const body = lines
            .map((other, index) => `${index === at ? `${key}\t${JSON.stringify(value)}` : other}\n`)
            .join('');
          await writeFile(file, `${body}${createHash('sha256').update(`3\n${body}`).digest('hex')}\n`);
          await writeFile(
            path.join(site.themesDir, 'site.yaml'),
            `base_url: https://community.example.org # ${failures} ${at} ${JSON.stringify(forged)} ${part}\n`,
          );
          const first = await build();
          expect(first.stderr, line).not.toMatch(/Cannot read|undefined|not iterable/);
          if (first.code !== 0) failures++;
          if (first.code === 2) expect(first.stderr).toContain('have been removed. Run the command again.');
          expect(await build(), line).toMatchObject({ code: 0, stderr: '' });
        }
      expect(failures).toBeGreaterThan(0);
    } finally {
      await removeSite(site);
    }
  },
);
