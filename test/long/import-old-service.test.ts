import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../command-line.ts';
import { skip } from '../skip.ts';
import { fillOldService, missingForOldService, startOldService } from '../verify/old-service.ts';

const missing = missingForOldService();
if (missing !== undefined) {
  const { reason, isOptional } = missing;
  it('imports from the service that themecast replaces', (context) =>
    isOptional ? context.skip(reason) : skip(context, reason));
}

let filled = '';
beforeAll(async () => {
  if (missing === undefined) filled = await fillOldService();
}, 240_000);
afterAll(async () => {
  if (filled !== '') await rm(filled, { recursive: true, force: true });
});

// `compare` imports from it in every variant.
const settings = [{ OLD_SERVICE_VARIANT: 'noauth', OLD_SERVICE_CONDITIONAL: '1' }];

describe.each(missing === undefined ? settings : [])('an import from the old service: %j', (env) => {
  it(
    'takes all of it, then nothing more, and the service notices nothing but reads',
    { timeout: 180_000 },
    async () => {
      const service = await startOldService(filled, env);
      const cwd = await mkdtemp(path.join(tmpdir(), 'themecast-import-'));
      const git = (...args: string[]): string => execFileSync('git', args, { cwd, encoding: 'utf8' });
      try {
        const before = await service.database();
        git('init', '--quiet');
        const list = (await (await fetch(`${service.url}/api/v2/theme/`)).json()) as Record<string, unknown>[];
        const first = await run(['import', service.url, '--rate', '500'], { cwd });
        expect(first).toMatchObject({ code: 0, stderr: '' });
        expect(first.stdout).toContain(`✔ ${list.length} themes imported\n`);
        git('add', '--all');
        const again = await run(['import', service.url, '--rate', '500'], { cwd });
        expect(again.stdout).toContain(' 0 fetched, ');
        expect(
          git('status', '--porcelain', '--untracked-files=all')
            .split('\n')
            .filter((line) => !/^A {2}|^$/.test(line)),
        ).toEqual([]);

        expect((await run(['build', '--quiet'], { cwd })).code).toBe(0);
        const built = JSON.parse(await readFile(path.join(cwd, 'dist/api/v2/theme/index.json'), 'utf8')) as typeof list;
        expect(built.map(withoutUrls)).toEqual(list.map(withoutUrls));
        expect((await readdir(path.join(cwd, 'themes'))).filter((name) => name.includes('thumbnail'))).toEqual([]);

        const requests = await service.requests();
        expect(requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
        expect(requests.filter((request) => request.includes('__sized__'))).toEqual([]);
        expect((await service.database()).equals(before)).toBe(true);
      } finally {
        await service.stop();
        await rm(cwd, { recursive: true, force: true });
      }
    },
  );
});

/** The fields of a record that are no images. Palettes of the service may be in any notation; those of a build are hsl(). */
function withoutUrls(record: Readonly<Record<string, unknown>>): unknown[] {
  return Object.entries(record).filter(
    ([name, value]) => name !== 'palette_preview' && !/^https?:/.test(String(value)) && typeof value !== 'object',
  );
}
