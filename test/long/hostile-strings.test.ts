import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { edgeRules } from '../../src/hosts/contract.ts';
import { check, type Diagnostic, formatDiagnostics } from '../../src/index.ts';
import { parseYaml } from '../../src/core/source/yaml.ts';
import { themeSchema } from '../../src/core/theme/schema.ts';
import { validateSite } from '../../src/core/theme/site.ts';
import { HOSTILE_STRINGS } from '../hostile-strings.js';
import { squareSvg } from '../images.ts';
import { buildSite, makeSite, removeSite, type SiteFolder } from '../site-folder.ts';
import { PALETTE } from '../theme-yaml.js';

type Fields = Readonly<Record<string, unknown>>;

let site: SiteFolder;
beforeEach(async () => {
  site = await makeSite({
    site: { base_url: 'https://community.example.org', allowed_hosts: ['images.example.org'] },
    themes: { base: {} },
  });
});
afterEach(() => removeSite(site));

/** Returns a value in single quotes, in which YAML can only escape the quote. */
function singleQuoted(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  if (Array.isArray(value)) return `[${value.map(singleQuoted).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, inner]) => `${singleQuoted(key)}: ${singleQuoted(inner)}`);
  return `{${pairs.join(', ')}}`;
}

/** Two styles of YAML that support nearly any text. UTF-8 files contain U+FFFD in place of a lone surrogate. */
const STYLES = [
  ['double quotes', JSON.stringify, (text: string) => text],
  ['single quotes', singleQuoted, (text: string) => Buffer.from(text).toString()],
] as const;

const yaml = (fields: Fields, write: (value: unknown) => string): string =>
  Object.entries(fields)
    .map(([field, value]) => `${/^[a-z_]+$/.test(field) ? field : write(field)}: ${write(value)}\n`)
    .join('');

async function writeTheme(slug: string, fields: Fields, write: (value: unknown) => string = JSON.stringify) {
  await mkdir(path.join(site.themesDir, slug), { recursive: true });
  await writeFile(path.join(site.themesDir, slug, 'theme.yaml'), yaml(fields, write));
}

/** Checks that nothing in the report controls a terminal, and removes the themes with diagnostics. @returns their slugs */
async function removeRejected(diagnostics: readonly Diagnostic[]): Promise<ReadonlySet<string>> {
  expect(formatDiagnostics(diagnostics, site)).not.toMatch(
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/,
  );
  const slugs = diagnostics.map(({ location }) => /themes\/(t-\d+)(?:\/|$)/.exec(location.file)?.[1] ?? '');
  expect(diagnostics.filter((_, at) => slugs[at] === '')).toEqual([]);
  for (const slug of new Set(slugs)) await rm(path.join(site.themesDir, slug), { recursive: true });
  return new Set(slugs);
}

async function publishedThemes(): Promise<Map<number, Record<string, unknown>>> {
  await buildSite(site);
  const text = await readFile(path.join(site.outDir, 'api/v2/theme/index.json'), 'utf8');
  return new Map((JSON.parse(text) as { id: number }[]).map((theme) => [theme.id, theme]));
}

const REMOTE = 'https://images.example.org/x.png';
/** The places for a text in a theme, and where to find the published value, by default in the same field. */
const THEME_FIELDS: Readonly<
  Record<string, { fields: (text: string) => Fields; published?: (theme: Record<string, unknown>) => unknown }>
> = {
  ...Object.fromEntries(
    Object.keys(themeSchema.shape).map((field) => [field, { fields: (text: string) => ({ [field]: text }) }]),
  ),
  palette_preview: {
    fields: (text) => ({ palette_preview: [text, ...PALETTE.authored.slice(1)] }),
    published: () => undefined,
  },
  ...Object.fromEntries(
    ['original', 'thumbnail'].map((part) => [
      `logo_site.${part}`,
      {
        fields: (text: string) => ({ logo_site: { original: REMOTE, thumbnail: REMOTE, [part]: text } }),
        published: ({ logo_site: set }: Record<string, unknown>) => (set as Record<string, unknown>)[part],
      },
    ]),
  ),
  'an unknown field': { fields: (text) => ({ [text]: 1 }) },
};

/** The places for a text in site.yaml. */
const SETTINGS: Readonly<Record<string, (text: string) => Fields>> = {
  base_url: (text) => ({ base_url: text }),
  'the path of base_url': (text) => ({ base_url: `https://example.org/${text}` }),
  media_url: (text) => ({ media_url: text }),
  repository_url: (text) => ({ repository_url: text }),
  'cache.list_max_age': (text) => ({ cache: { list_max_age: text } }),
  'cors.allowed_origins': (text) => ({ cors: { allowed_origins: [text] } }),
  'an origin': (text) => ({ cors: { allowed_origins: [`https://${text}`] } }),
  'a cookie': (text) => ({ identity: [{ user: { cookie: text } }] }),
  'a header': (text) => ({ identity: [{ user: { header: text, trusted_proxies: ['10.0.0.0/8'] } }] }),
  'a proxy': (text) => ({ identity: [{ user: { header: 'X-User', trusted_proxies: [text] } }] }),
  'a secret header': (text) => ({
    identity: [{ user: { header: 'X-User', shared_secret: { header: text, env: text } } }],
  }),
  'a token': (text) => ({ identity: [{ user: { jwt: { claim: text, algorithm: 'HS256', secret_env: 'S' } } }] }),
  'a key set': (text) => ({
    identity: [{ user: { jwt: { claim: 'sub', algorithm: 'RS256', jwks_url: `https://${text}` } } }],
  }),
  'a login service': (text) => ({
    identity: [{ user: { auth_request: { url: `http://${text}`, header: 'X-User' } } }],
  }),
  'a login header': (text) => ({ identity: [{ user: { auth_request: { url: 'http://login/', header: text } } }] }),
  'a kind of identity': (text) => ({ identity: [{ [text]: { cookie: 'uid' } }] }),
  'origin.listen': (text) => ({ origin: { listen: text } }),
  'origin.document_root': (text) => ({ origin: { document_root: `/srv/${text}` } }),
  allowed_hosts: (text) => ({ allowed_hosts: [text] }),
  logo_types: (text) => ({ logo_types: [text] }),
  'an unknown setting': (text) => ({ [text]: 1 }),
};

describe.each(STYLES)('each string in %s', { timeout: 120_000 }, (_, write, read) => {
  test.each(Object.entries(THEME_FIELDS))(
    'in theme.yaml as %s is reported with its position, or published unchanged',
    async (field, { fields, published = (theme) => theme[field] }) => {
      for (const [at, text] of HOSTILE_STRINGS.entries())
        await writeTheme(`t-${at}`, { id: at + 2, name: `t${at}`, extends: 'base', ...fields(text) }, write);
      const { diagnostics } = await check(site);
      expect(diagnostics.filter(({ location }) => location.start === undefined)).toEqual([]);
      const rejected = await removeRejected(diagnostics);
      const themes = await publishedThemes();
      for (const [at, text] of HOSTILE_STRINGS.entries())
        if (!rejected.has(`t-${at}`) && field !== 'palette_preview' && field !== 'extends')
          expect(published(themes.get(at + 2) ?? {})).toBe(read(text));
    },
  );

  test.each(Object.entries(SETTINGS))('in site.yaml as %s is reported, or used unchanged', (_setting, fields) => {
    for (const text of HOSTILE_STRINGS) {
      const codes: string[] = [];
      const report = (code: string): void => void codes.push(code);
      const authored = yaml({ base_url: 'https://community.example.org', ...fields(text) }, write);
      const settings = validateSite(parseYaml('site.yaml', authored, report), undefined, undefined, report);
      if (codes.length > 0) continue;
      const rules = edgeRules(settings, [{ slug: 'base', id: 1 }], 'sha256-AAAA');
      expect(JSON.parse(JSON.stringify(rules))).toEqual(rules);
      // URLs are used in normal form.
      const used = JSON.stringify(settings).toLowerCase();
      expect(used).toContain(JSON.stringify(text).slice(1, -1).replace(/\/+$/, '').toLowerCase());
    }
  });
});

const isFileName = (text: string): boolean =>
  !/[/\u0000]/.test(text) && Buffer.byteLength(text) <= 255 && Buffer.from(text).toString() === text;

test('each string as the name of a folder is reported, or is a theme', { timeout: 120_000 }, async () => {
  for (const text of HOSTILE_STRINGS) {
    if (!isFileName(text) || ['', '.', '..', 'base', 'site.yaml', 'users.csv'].includes(text)) continue;
    await writeTheme(text, { id: 2, name: 'other', extends: 'base' });
    const { ok, themes, diagnostics } = await check(site);
    expect([text, ok]).toEqual([text, diagnostics.length === 0 && (themes === 2 || text.startsWith('.'))]);
    await rm(path.join(site.themesDir, text), { recursive: true });
  }
});

test(
  'each string as the name of an image is reported, or published under a plain name',
  { timeout: 120_000 },
  async () => {
    const names = HOSTILE_STRINGS.map((text) => `${text}.svg`).filter(isFileName);
    for (const [at, name] of names.entries()) {
      await writeTheme(`t-${at}`, { id: at + 2, name: `t${at}`, extends: 'base', logo: name });
      await writeFile(path.join(site.themesDir, `t-${at}`, name), squareSvg(at + 20, 20));
    }
    const rejected = await removeRejected((await check(site)).diagnostics);
    expect(rejected.size).toBeLessThan(names.length / 2);
    const themes = await publishedThemes();
    for (const [at, name] of names.entries()) {
      if (rejected.has(`t-${at}`)) continue;
      const { pathname } = new URL(String(themes.get(at + 2)?.['logo']));
      expect([name, pathname]).toEqual([name, expect.stringMatching(/^\/media\/t-\d+\/[\w.-]+\.svg$/)]);
      expect(await readFile(path.join(site.outDir, pathname), 'utf8')).toContain(`width="${at + 20}"`);
    }
  },
);
