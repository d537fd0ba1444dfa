import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EdgeInput } from '../../../src/hosts/adapter.ts';
import { edgeRules } from '../../../src/hosts/contract.ts';
import { edgeOutput } from '../../../src/hosts/edge-output.ts';
import { adapters } from '../../../src/hosts/adapters.ts';
import { readHostTemplates } from '../../../src/compiler/runtime.ts';
import { EDGE_HOSTS, SITE_DEFAULTS } from '../../../src/theme/site.ts';
import { WEB_SERVERS } from '../../hosts/web-servers.ts';
import { usersOf } from '../../sample-users.ts';

const SOURCE = path.resolve(import.meta.dirname, '../../../src');
const TESTS = path.resolve(import.meta.dirname, '../../hosts');

const site = { ...SITE_DEFAULTS, base_url: 'https://example.org', media_url: 'https://example.org/media' };
const place = { file: 'themes/site.yaml' };

/** The compiled handler, as far as adapters are concerned. */
const runtime = { 'handler.js': '// compiled\n' };

async function inputFor(): Promise<EdgeInput & Pick<Awaited<ReturnType<typeof usersOf>>, 'assigned'>> {
  const { assigned, mapping } = await usersOf([], { harbor: 1 });
  const rules = edgeRules(site, [{ slug: 'harbor', id: 1 }], 'sha256-c3R5bGU=');
  const report = (code: string): never => {
    throw new Error(code);
  };
  return { rules, mapping, runtime, templates: await readHostTemplates(EDGE_HOSTS), report, assigned };
}

describe('every host', () => {
  it('has a folder in src/hosts/ with an adapter, and every such folder is in the registry', async () => {
    const entries = await readdir(path.join(SOURCE, 'hosts'), { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(folders.toSorted(), 'add the host to src/hosts/registry.ts and EDGE_HOSTS').toEqual(EDGE_HOSTS.toSorted());
  });

  it('has a test file in test/hosts/', async () => {
    const files = new Set(await readdir(TESTS));
    const untested = EDGE_HOSTS.filter((host) => !files.has(`${host}.test.ts`));
    expect(untested, 'add test/hosts/<host>.test.ts, which runs the contract suite').toEqual([]);
  });

  it('has its language tested if it has one', () => {
    const servers = EDGE_HOSTS.filter((host) =>
      adapters[host].capabilities.identity.includes('header (trusted_proxies)'),
    );
    expect(servers, 'add the host to test/hosts/web-servers.ts').toEqual(WEB_SERVERS);
  });

  it('is in the table of README.md', async () => {
    const text = (await readFile(path.join(SOURCE, '../README.md'), 'utf8')).replaceAll('`', '');
    const [table = ''] = /(?<=\n## Hosts\n)[^]*?(?=\n## )/.exec(text) ?? [];
    expect(EDGE_HOSTS.filter((host) => !table.includes(adapters[host].title))).toEqual([]);
  });

  it.each(EDGE_HOSTS)('%s writes a README that ends with its capabilities and a check', async (host) => {
    const { assigned, ...input } = await inputFor();
    const { edgeFiles } = await edgeOutput([host], input, assigned, {
      edge: place,
      identity: () => place,
    });
    const readmes = edgeFiles.filter((file) => file.path === `${host}/README.md`);
    const [text] = readmes.map(({ content }) => ('text' in content ? content.text : ''));
    expect(readmes).toHaveLength(1);
    expect(text).toMatch(/^# /);
    expect(text).toContain('\n\n## Capabilities\n\n- read from: ');
    const limits = adapters[host].capabilities.maxKeys === 0 ? ` --host ${host}` : '';
    expect(text).toContain(`\n## Check it\n\n    npx themecast verify https://example.org --wait 120${limits}\n`);
  });
});
