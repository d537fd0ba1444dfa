import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseYaml } from '../../../src/core/source/yaml.ts';
import { type Site, SITE_DEFAULTS, siteSchema, validateSite } from '../../../src/core/theme/site/site.ts';
import { diagnosticsOf } from '../collect.ts';

const BASE = 'https://a.example';

function validate(text: string, baseUrl?: string): { site: Site | undefined; diagnostics: string[] } {
  let site: Site | undefined;
  const diagnostics = diagnosticsOf((report) => {
    const document = parseYaml('site.yaml', text, report);
    if (document !== undefined) site = validateSite(document, undefined, baseUrl, report);
  });
  return {
    site,
    diagnostics: diagnostics.map(({ code, message, location: { start } }) => `${code} ${start?.line} ${message}`),
  };
}

describe('site.yaml', () => {
  it('has a default for every setting except base_url', () => {
    const { site, diagnostics } = validate(`base_url: ${BASE}/x/\n`);
    expect(diagnostics).toEqual([]);
    expect(site).toEqual({ ...SITE_DEFAULTS, base_url: `${BASE}/x`, media_url: `${BASE}/x/media` });
    expect(SITE_DEFAULTS).toMatchObject({
      cache: { list_max_age: 60 },
      cors: { allowed_origins: [] },
      identity: [{ names: 'user', credential: { from: 'cookie', name: 'uid' } }],
      mapping: { keyed: false },
      edge: ['nginx'],
      origin: { listen: '80', document_root: '/srv/themecast/dist' },
      allowed_hosts: [],
      logo_types: ['NORMAL', 'INVERSE'],
      logo_alignments: ['left', 'center', 'right'],
    });
  });

  it('limits the length of lists', () => {
    const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `h${index}`);
    const user = (more: object): object => ({ user: { header: 'A', ...more } });
    const hosts = (count: number): object => Object.fromEntries(names(count).map((name) => [`${name}.a`, 'sea']));
    for (const [setting, maximum, valueOfLength] of [
      ['allowed_hosts', 50, names],
      ['cors', 50, (count: number) => ({ allowed_origins: names(count).map((name) => `https://${name}.a`) })],
      ['identity', 8, (count: number) => names(count).map((cookie) => ({ user: { cookie } }))],
      [
        'identity',
        64,
        (count: number) => [user({ trusted_proxies: names(count).map((_, index) => `10.0.0.${index}`) })],
      ],
      ['identity', 1000, (count: number) => [{ theme: { host: hosts(count) } }]],
    ] as const) {
      const accepts = (count: number): boolean => siteSchema.shape[setting].safeParse(valueOfLength(count)).success;
      expect([accepts(maximum), accepts(maximum + 1)], `${maximum} in ${setting}`).toEqual([true, false]);
    }
  });

  it('has a description of every setting, and a default of most, for editors with JSON Schema', () => {
    const { properties = {} } = z.toJSONSchema(siteSchema, { io: 'input', unrepresentable: 'any' });
    const settings = Object.entries(properties).flatMap(([name, schema]) =>
      typeof schema === 'object' && schema.properties !== undefined
        ? [[name, schema] as const, ...Object.entries(schema.properties)]
        : [[name, schema] as const],
    );
    const without = (key: 'description' | 'default') =>
      settings.filter(([, schema]) => typeof schema === 'object' && schema[key] === undefined).map(([name]) => name);
    expect(settings.length).toBeGreaterThan(20);
    expect(without('description')).toEqual([]);
    expect(without('default')).toEqual(['base_url', 'media_url', 'repository_url', 'web_app', 'short_name', 'scope']);
  });
});
