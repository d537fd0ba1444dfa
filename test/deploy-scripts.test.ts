import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adapters } from '../src/hosts/adapters.ts';
import { parseRecord } from '../src/document/deployment.ts';
import { deployScripts, DEPLOYED_HOSTS } from '../src/hosts/deploy-scripts.ts';
import { codeBlocks, readPage } from './docs/pages.ts';
import { contentOf, publishSite, type PublishedSite, removeSite, templates } from './hosts/site.ts';
import { installed } from './hosts/process.ts';
import { skip } from './skip.ts';
import { longCases } from './long-test.ts';

const MAX_LINES = 75;

describe.each(DEPLOYED_HOSTS)('the scripts of %s', (host) => {
  const sites: PublishedSite[] = [];
  let folder: string;
  /** The scripts by name, with and without keyed shards. */
  const scripts = new Map<string, string>();
  const names: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'themecast-scripts-'));
    for (const keyed of [false, true]) {
      names.length = 0;
      const site = await publishSite({ mapping: { keyed } });
      sites.push(site);
      const { rules, mapping } = site;
      const report = (): void => undefined;
      const files = deployScripts(adapters[host], host, { rules, mapping, runtime: {}, templates, report });
      const below = path.join(folder, String(keyed));
      await mkdir(below);
      for (const file of files) {
        names.push(file.path);
        scripts.set(path.join(below, file.path), contentOf(file));
        await writeFile(path.join(below, file.path), contentOf(file));
      }
    }
  });
  afterAll(async () => {
    await Promise.all(sites.map(removeSite));
    await rm(folder, { recursive: true });
  });

  it(`have at most ${MAX_LINES} lines, are well-formed, and name their variables at the top`, () => {
    expect(scripts.size).toBeGreaterThan(1);
    for (const [file, text] of scripts) {
      expect(text.trimEnd().split('\n').length, file).toBeLessThanOrEqual(MAX_LINES);
      expect(text, file).not.toMatch(/\{\{|undefined/);
      expect(spawnSync('sh', ['-n', file]).stderr.toString()).toBe('');
      const required = [...text.matchAll(/\$\{([A-Z_]+):\?\}/g)].map(([, name]) => name);
      const [head = ''] = text.split('\nset -eu');
      if (file.endsWith('deploy.sh')) for (const name of required) expect(head, file).toContain(name);
    }
  });

  it('have no fault that shellcheck finds', (context) => {
    if (installed('shellcheck', '--version') === undefined) skip(context, 'shellcheck is not installed.');
    // The scripts refer to each other by relative paths.
    for (const below of ['true', ...longCases(['false']).flat()])
      expect(spawnSync('shellcheck', ['-x', ...names], { cwd: path.join(folder, below) }).stdout.toString()).toBe('');
  });
});

it('docs/going-live.md has a valid record', () => {
  const [example = ''] = codeBlocks(readPage('docs/going-live.md'), 'json');
  expect(parseRecord(example)).toMatchObject({ retained: [{ bytes: 245 }] });
  const { retained, ...others } = JSON.parse(example);
  for (const wrong of [
    { path: '../../etc/passwd' },
    { path: 'media/a/../../x.0123456789abcdef.svg' },
    { sha256: 'x' },
    { bytes: '1' },
  ])
    expect(parseRecord(JSON.stringify({ ...others, retained: [{ ...retained[0], ...wrong }] }))).toBeUndefined();
});
