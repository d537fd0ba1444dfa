import { expect, test } from 'vitest';
import { recordText } from '../src/document/deployment.ts';
import { run } from './command-line.ts';
import { listening } from './listening.ts';
import { makeSite, removeSite } from './site-folder.ts';

// What `who` prints of users, groups and themes has golden files: test/golden/calls.ts.
test('who --live shows what is live, or why that is unknown', async () => {
  let [status, text] = [404, ''];
  const site = await makeSite();
  const { url, stop } = await listening((_, response) => response.writeHead(status).end(text));
  const live = (...flags: string[]) => run(['who', '--live', '--base-url', url, ...flags], { cwd: site.root });
  expect(await live()).toMatchObject({
    code: 0,
    stdout: `${url} serves nothing that \`themecast deploy\` has deployed.\n`,
  });
  const record = {
    commit: 'f'.repeat(40),
    time: '2026-11-25T10:12:00.000Z',
    manifest: 'a'.repeat(64),
    cache_control: {},
  };
  [status, text] = [200, recordText({ ...record, retained: [] })];
  expect(await live()).toMatchObject({ code: 0, stdout: `${url} serves fffffff (since 2026-11-25 10:12 UTC).\n` });
  expect(JSON.parse((await live('--format', 'json')).stdout)).toMatchObject({ version: 1, url, live: record });
  text = '<!doctype html>';
  expect(await live()).toMatchObject({ code: 1, stdout: expect.stringContaining('is no deployment.json') as string });
  await stop();
  await removeSite(site);
});
