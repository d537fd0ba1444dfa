import { execFileSync } from 'node:child_process';
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { BIN, run } from '../command-line.ts';
import { readPage } from '../docs/pages.ts';
import { disc, solidImage, quarters, squareSvg } from '../images.ts';
import { buildSite, copySite, makeSite, removeSite, type SiteFolder, treeHashes } from '../site-folder.ts';

let site: SiteFolder;
let expected: Record<string, string>;

// Next to the site, because a home inside it would not be used.
const machines = (): string => `${site.root}-machines`;

beforeAll(async () => {
  const banner = (file: string) => ({ default_group_banner: file, default_event_banner: file });
  const shared = await quarters(640, 200).png().toBuffer();
  site = await makeSite({
    themes: {
      harbor: { fields: banner('shared.png'), images: { 'shared.png': shared, 'logo.svg': squareSvg(40, 40) } },
      meadow: { fields: banner('copy.png'), images: { 'copy.png': shared } },
      ridge: { fields: banner('own.png'), images: { 'own.png': await disc(640, 180).png().toBuffer() } },
      shore: { fields: banner('own.jpg'), images: { 'own.jpg': await solidImage(640, 160).jpeg().toBuffer() } },
    },
  });
  const reference = await copySite(site);
  await buildSite(reference);
  expected = await treeHashes(reference.outDir);
  await removeSite(reference);
});

afterAll(async () => {
  await removeSite(site);
  await rm(machines(), { recursive: true, force: true });
});

test('check --shard rejects --no-images and --users', async () => {
  for (const flag of ['--no-images', '--users=-'])
    expect(await run(['check', '--shard', '1/2', flag], { cwd: site.root })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'themecast: --shard decodes images and reads no users: leave out --no-images and --users.\n',
    });
});

test('the jobs for GitHub in the documentation render every image once, and publish the same files as one machine', async () => {
  interface Workflow {
    jobs: Record<string, { strategy?: { matrix: { shard: number[] } }; steps: { run?: string }[] }>;
  }
  const { jobs } = parse(readPage('docs/theme-repository/shards.yml')) as Workflow;
  const commandOf = (job: string): string =>
    (jobs[job]?.steps.find(({ run: command = '' }) => command.includes('themecast'))?.run ?? '').replaceAll(
      'npx --no-install themecast',
      `${process.execPath} ${BIN}`,
    );
  const shards = jobs['check']?.strategy?.matrix.shard ?? [];
  const runJob = (job: string, cwd: string, env: Record<string, string>): string =>
    execFileSync('bash', ['-e', '-c', commandOf(job)], {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, XDG_STATE_HOME: `${cwd}-state`, XDG_CACHE_HOME: `${cwd}-home`, ...env },
    });
  const merged = path.join(machines(), 'publisher/.cache');
  await cp(site.root, path.dirname(merged), { recursive: true });
  for (const shard of shards) {
    const checkout = path.join(machines(), `checkout-${shard}`);
    await cp(site.root, checkout, { recursive: true });
    runJob('check', checkout, { SHARD: String(shard), SHARDS: String(shards.length) });
    await cp(path.join(checkout, 'added'), merged, { recursive: true });
  }
  const printed = runJob('deploy', path.dirname(merged), { RUNNER_TEMP: machines() });
  expect(printed).toContain(' 0 images rendered');
  expect(shards.length).toBeGreaterThan(1);
  expect(await treeHashes(path.join(machines(), 'site/dist'))).toEqual(expected);
});
