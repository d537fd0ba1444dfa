import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { adapters } from '../../../src/hosts/adapter/adapters.ts';
import { EDGE_HOSTS } from '../../../src/core/theme/site/site.ts';
import { WEB_SERVERS } from '../../hosts/web-servers.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

it('every host has a test in test/hosts/ and a row in README.md, and tests of quoting if it has a configuration language', async () => {
  const files = new Set(await readdir(path.join(ROOT, 'test/hosts')));
  expect(EDGE_HOSTS.filter((host) => !files.has(`${host}.test.ts`))).toEqual([]);
  const text = (await readFile(path.join(ROOT, 'README.md'), 'utf8')).replaceAll('`', '');
  const [table = ''] = /(?<=\n## Hosts\n)[^]*?(?=\n## )/.exec(text) ?? [];
  expect(EDGE_HOSTS.filter((host) => !table.includes(adapters[host].title))).toEqual([]);
  const hasLanguage = (host: (typeof EDGE_HOSTS)[number]): boolean =>
    adapters[host].capabilities.identity.includes('header (trusted_proxies)');
  expect(EDGE_HOSTS.filter(hasLanguage), 'add the host to test/hosts/web-servers.ts').toEqual(WEB_SERVERS);
});
