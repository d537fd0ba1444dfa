// Puts every hostile string into every place that an editor can write, and checks the result: a diagnostic that points at it, or
// the unchanged string in the output.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { edgeOutput } from '../../lib/hosts/edge-output.js';
import { adapters } from '../../lib/hosts/adapters.js';
import { build, check, formatDiagnostics } from '../../lib/index.js';
import { readHostTemplates, readRuntime } from '../../lib/compiler/runtime.js';
import { edgeRules } from '../../lib/hosts/contract.js';
import { keyProblem } from '../../lib/users/key.js';
import { parseYaml } from '../../lib/source/yaml.js';
import { themeSchema } from '../../lib/theme/schema.js';
import { validateSite } from '../../lib/theme/site.js';
import { HOSTILE_STRINGS } from '../hostile-strings.js';

/** @import { Diagnostic, BuildOptions } from '../../lib/index.js' */
/** @import { Report } from '../../lib/diagnostics/diagnostic.js' */

const strings = HOSTILE_STRINGS;
/** @type {string[]} */
const failures = [];
const counts = { cases: 0, rejected: 0, roundTrips: 0 };

/** @param {boolean} holds @param {string} place @param {string} text @param {string} [what] */
function expect(holds, place, text, what = '') {
  if (!holds) failures.push(`${place}: ${JSON.stringify(text.slice(0, 80))} ${what}`);
}

/** @param {string} place @param {string} text @param {'rejected' | 'roundTrips' | undefined} outcome */
function count(place, text, outcome) {
  counts.cases++;
  if (outcome === undefined)
    failures.push(`${place}: ${JSON.stringify(text.slice(0, 80))} is neither rejected nor published`);
  else counts[outcome]++;
}

/** Writes a value in single quotes, where YAML can only escape the quote itself. @param {unknown} value @returns {string} */
function singleQuoted(value) {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  if (Array.isArray(value)) return `[${value.map(singleQuoted).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, inner]) => `${singleQuoted(key)}: ${singleQuoted(inner)}`)
    .join(', ')}}`;
}

/** A string as a YAML value, in the two styles that support nearly any. @type {Record<string, (value: unknown) => string>} */
const FORMS = { escaped: (value) => JSON.stringify(value), raw: singleQuoted };

const root = await mkdtemp(path.join(tmpdir(), 'themecast-strings-'));
const below = (/** @type {string} */ name) => path.join(root, name);
/** @type {BuildOptions} */
const options = {
  themesDir: below('themes'),
  outDir: below('dist'),
  edgeOutDir: below('edge'),
  cacheDir: below('.cache'),
};

const PALETTE = ['red', 'lime', 'blue', 'yellow', 'aqua', 'black', 'white', 'gray', 'navy'];
const IMAGE_FIELDS =
  'logo logo_inverse compact_logo compact_logo_inverse logo_site default_group_banner default_event_banner default_user_profile_banner';
const REMOTE = 'https://images.example.org/x.png';

/** Removes all but the cache, and writes the default theme, which all others extend. @param {Record<string, unknown>} [site] */
async function freshThemes(site = {}) {
  for (const folder of [options.themesDir, options.outDir, options.edgeOutDir])
    await rm(folder, { recursive: true, force: true });
  await mkdir(path.join(options.themesDir, 'base'), { recursive: true });
  await writeYaml('site.yaml', {
    base_url: 'https://community.example.org',
    edge: ['static'],
    allowed_hosts: ['images.example.org'],
    ...site,
  });
  const images = Object.fromEntries(IMAGE_FIELDS.split(' ').map((field) => [field, 'logo.svg']));
  await writeYaml('base/theme.yaml', {
    id: 1,
    name: 'base',
    is_default: true,
    favicon: 'icon.png',
    palette_preview: PALETTE,
    ...images,
  });
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><path d="M0 0h8v8z"/></svg>';
  await writeFile(path.join(options.themesDir, 'base/logo.svg'), svg);
  await writeFile(
    path.join(options.themesDir, 'base/icon.png'),
    await sharp({ create: { width: 32, height: 32, channels: 3, background: 'red' } })
      .png()
      .toBuffer(),
  );
}

/** @param {string} file @param {Record<string, unknown>} fields @param {(value: unknown) => string} [form] */
async function writeYaml(file, fields, form = JSON.stringify) {
  const target = path.join(options.themesDir, file);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, yaml(fields, form));
}

/** @param {Record<string, unknown>} fields @param {(value: unknown) => string} form */
function yaml(fields, form) {
  return Object.entries(fields)
    .map(([field, value]) => `${/^[a-z_]+$/.test(field) ? field : form(field)}: ${form(value)}\n`)
    .join('');
}

/** Formats every diagnostic as the command line does: nothing in it may control the terminal. @param {readonly Diagnostic[]} diagnostics @param {string} place */
function expectPlain(diagnostics, place) {
  const text = formatDiagnostics(diagnostics, options);
  const bad = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/.exec(text);
  expect(
    bad === null,
    place,
    bad === null ? '' : text.slice(Math.max(0, bad.index - 60), bad.index + 20),
    'is printed as it is',
  );
}

// --- theme.yaml: each field, one theme per string ---------------------------------------------------------------------------

/** How each field contains a string. @type {Record<string, (text: string) => Record<string, unknown>>} */
const THEME_FIELDS = {
  ...Object.fromEntries(
    Object.keys(themeSchema.shape).map((field) => [field, (/** @type {string} */ text) => ({ [field]: text })]),
  ),
  palette_preview: (text) => ({ palette_preview: [text, ...PALETTE.slice(1)] }),
  'logo_site.original': (text) => ({ logo_site: { original: text, thumbnail: REMOTE } }),
  'logo_site.thumbnail': (text) => ({ logo_site: { original: REMOTE, thumbnail: text } }),
  'an unknown field': (text) => ({ [text]: 1 }),
};
/** Returns the string in the list, if it was accepted. @type {Record<string, (theme: any) => unknown>} */
const SHOWN = {
  'logo_site.original': (theme) => theme.logo_site.original,
  'logo_site.thumbnail': (theme) => theme.logo_site.thumbnail,
  palette_preview: () => undefined,
};

/** Accepted names, for the test in a browser. @type {Set<string>} */
const names = new Set();
for (const [form, write] of Object.entries(FORMS)) {
  for (const [field, fields] of Object.entries(THEME_FIELDS)) {
    const place = `theme.yaml ${field} (${form})`;
    await freshThemes();
    for (const [at, text] of strings.entries()) {
      const required = { id: at + 2, name: `t${at}`, extends: 'base' };
      await writeYaml(`t-${at}/theme.yaml`, { ...required, ...fields(text) }, write);
    }
    const { diagnostics } = await check(options);
    expectPlain(diagnostics, place);
    /** @type {Map<string, Diagnostic[]>} */
    const byTheme = new Map();
    for (const diagnostic of diagnostics)
      byTheme.set(themeOf(diagnostic), [...(byTheme.get(themeOf(diagnostic)) ?? []), diagnostic]);
    for (const [at, text] of strings.entries()) {
      const about = byTheme.get(`t-${at}`);
      if (about === undefined) continue;
      count(place, text, 'rejected');
      expect(
        about.every(({ location }) => location.start !== undefined),
        place,
        text,
        'is rejected without a location',
      );
      await rm(path.join(options.themesDir, `t-${at}`), { recursive: true });
    }
    expect(
      !byTheme.has('base') && !byTheme.has(''),
      place,
      'base',
      JSON.stringify(byTheme.get('base') ?? byTheme.get('')),
    );
    const accepted = [...strings.entries()].filter(([at]) => !byTheme.has(`t-${at}`));
    const result = await build(options);
    expect(result.ok, place, '', `the rest does not build: ${JSON.stringify(result.diagnostics[0])}`);
    const list = JSON.parse(await readFile(path.join(options.outDir, 'api/v2/theme/index.json'), 'utf8'));
    for (const [at, text] of accepted) {
      // In single quotes a lone surrogate cannot be written: a file of UTF-8 has U+FFFD there.
      const written = form === 'raw' ? Buffer.from(text).toString() : text;
      const theme = list.find((/** @type {{ id: number }} */ { id }) => id === at + 2);
      const actual = (SHOWN[field] ?? ((one) => one[field]))(theme);
      count(place, text, actual === written || (field === 'extends' && text === 'base') ? 'roundTrips' : undefined);
      if (field === 'name') names.add(written);
    }
  }
}

/** @param {Diagnostic} diagnostic */
function themeOf({ location }) {
  return /themes\/([^/]+)\/theme\.yaml$/.exec(location.file)?.[1] ?? '';
}

// --- site.yaml: each setting, for every host --------------------------------------------------------------------------------

/** @type {Record<string, (text: string) => Record<string, unknown>>} */
const SETTINGS = {
  base_url: (text) => ({ base_url: text }),
  'base_url path': (text) => ({ base_url: `https://example.org/${text}` }),
  media_url: (text) => ({ media_url: text }),
  repository_url: (text) => ({ repository_url: text }),
  'cache.list_max_age': (text) => ({ cache: { list_max_age: text } }),
  'cors.allowed_origins': (text) => ({ cors: { allowed_origins: [text] } }),
  'an origin': (text) => ({ cors: { allowed_origins: [`https://${text}`] } }),
  'identity cookie': (text) => ({ identity: [{ user: { cookie: text } }] }),
  'identity theme cookie': (text) => ({ identity: [{ theme: { cookie: text } }] }),
  'identity header': (text) => ({ identity: [{ user: { header: text, trusted_proxies: ['10.0.0.0/8'] } }] }),
  'identity proxy': (text) => ({ identity: [{ user: { header: 'X-User', trusted_proxies: [text] } }] }),
  'identity secret header': (text) => ({
    identity: [{ user: { header: 'X-User', shared_secret: { header: text, env: 'S' } } }],
  }),
  'identity secret env': (text) => ({
    identity: [{ user: { header: 'X-User', shared_secret: { header: 'X-S', env: text } } }],
  }),
  'identity claim': (text) => ({ identity: [{ user: { jwt: { claim: text, algorithm: 'HS256', secret_env: 'S' } } }] }),
  'identity algorithm': (text) => ({
    identity: [{ user: { jwt: { claim: 'sub', algorithm: text, secret_env: 'S' } } }],
  }),
  'identity token cookie': (text) => ({
    identity: [{ user: { jwt: { cookie: text, claim: 'sub', algorithm: 'HS256', secret_env: 'S' } } }],
  }),
  'identity jwks_url': (text) => ({
    identity: [{ user: { jwt: { claim: 'sub', algorithm: 'RS256', jwks_url: `https://${text}` } } }],
  }),
  'identity login url': (text) => ({
    identity: [{ user: { auth_request: { url: `http://${text}`, header: 'X-User' } } }],
  }),
  'identity login header': (text) => ({
    identity: [{ user: { auth_request: { url: 'http://login/', header: text } } }],
  }),
  'identity kind': (text) => ({ identity: [{ [text]: { cookie: 'uid' } }] }),
  'mapping.keyed': (text) => ({ mapping: { keyed: text } }),
  'mapping.shards': (text) => ({ mapping: { shards: text } }),
  edge: (text) => ({ edge: [text] }),
  'origin.listen': (text) => ({ origin: { listen: text } }),
  'origin.document_root': (text) => ({ origin: { document_root: text } }),
  'below document_root': (text) => ({ origin: { document_root: `/srv/${text}` } }),
  allowed_hosts: (text) => ({ allowed_hosts: [text] }),
  logo_types: (text) => ({ logo_types: [text] }),
  logo_alignments: (text) => ({ logo_alignments: [text] }),
  'an unknown setting': (text) => ({ [text]: 1 }),
};
const runtime = await readRuntime();

const PLACES = { edge: { file: 'site.yaml' }, identity: () => ({ file: 'site.yaml' }) };
const HOSTS = /** @type {(keyof typeof adapters)[]} */ (Object.keys(adapters));
const templates = await readHostTemplates(HOSTS);
const noUsers = {
  counts: { user: 0, group: 0 },
  countsByTheme: { user: [], group: [] },
  pairs: () => [],
  shards: undefined,
};
const unassigned = {
  counts: noUsers.counts,
  first: { user: undefined, group: undefined },
  collisions: [],
  moreCollisions: 0,
};

for (const [form, write] of Object.entries(FORMS)) {
  for (const [setting, settings] of Object.entries(SETTINGS)) {
    for (const text of strings) {
      const place = `site.yaml ${setting} (${form})`;
      const authored = settings(text);
      /** @type {string[]} */
      const codes = [];
      /** @type {Report} */
      const report = (code) => void codes.push(code);
      const document = parseYaml(
        'site.yaml',
        yaml({ base_url: 'https://community.example.org', ...authored }, write),
        report,
      );
      const site = validateSite(document, undefined, undefined, report);
      if (codes.length > 0) {
        count(place, text, 'rejected');
        continue;
      }
      const rules = edgeRules(site, [{ slug: 'base', id: 1 }], 'sha256-AAAA');
      expect(
        JSON.stringify(JSON.parse(JSON.stringify(rules))) === JSON.stringify(rules),
        place,
        text,
        'changes in rules.json',
      );
      // URLs are published in normal form, so this checks only that nothing is lost.
      const isPublished = JSON.stringify(site)
        .toLowerCase()
        .includes(JSON.stringify(text).slice(1, -1).replace(/\/+$/, '').toLowerCase());
      count(place, text, isPublished || setting === 'edge' ? 'roundTrips' : undefined);
      for (const host of HOSTS) {
        try {
          const input = { rules, mapping: noUsers, runtime, templates, report };
          // The rules of httpd are responses with placeholders.
          for (const { path: file, content } of (await edgeOutput([host], input, unassigned, PLACES)).edgeFiles)
            if (file.endsWith('.json') && host !== 'apache' && 'text' in content) JSON.parse(content.text);
        } catch (error) {
          expect(false, place, text, `${host}: ${String(error)}`);
        }
      }
    }
  }
}

// --- users: each file format ------------------------------------------------------------------------------------------------

/** @type {Record<string, (key: string, theme: string) => Record<string, string>>} */
const USERS = {
  csv: (key, theme) => ({
    'users.csv': `user,theme\n${[key, theme].map((text) => `"${text.replaceAll('"', '""')}"`).join(',')}\n`,
  }),
  'unquoted csv': (key, theme) => ({ 'users.csv': `user,theme\n${key},${theme}\n` }),
};
await freshThemes({ edge: ['cloudflare'] });
await writeYaml('other/theme.yaml', { id: 2, name: 'other', extends: 'base' });
for (const [form, files] of Object.entries(USERS)) {
  for (const [text, what] of strings.flatMap(
    (one) =>
      /** @type {const} */ ([
        [one, 'key'],
        [one, 'theme'],
      ]),
  )) {
    const place = `users as ${form}, ${what}`;
    const written = what === 'key' ? files(text, 'other') : files('u-1', text);
    for (const [file, content] of Object.entries(written)) {
      await mkdir(path.dirname(path.join(options.themesDir, file)), { recursive: true });
      await writeFile(path.join(options.themesDir, file), content);
    }
    const { ok, diagnostics } = await build(options);
    expectPlain(diagnostics, place);
    if (!ok) {
      count(place, text, 'rejected');
      const messages = diagnostics.map(({ message, hint = '' }) => message + hint).join('\n');
      expect(
        what === 'theme' || text.length < 8 || !messages.includes(text),
        place,
        text,
        'is a key, and in a message',
      );
    } else {
      const lines = (await readFile(path.join(options.edgeOutDir, 'users.ndjson'), 'utf8')).split('\n').slice(0, -1);
      const stored = lines.map((line) => JSON.parse(line));
      const isPair = what === 'key' && stored.length === 1 && stored[0][1] === text && stored[0][2] === 'other';
      // Rows without meaning in their format: an empty line, a comment, a user with the default theme.
      const nothing = stored.length === 0 && (what === 'theme' ? text === 'base' : /^\s*(?:#|$)/.test(text));
      const unquoted =
        form.startsWith('unquoted') &&
        stored.length === 1 &&
        stored[0][1] === text.trim() &&
        keyProblem(text.trim()) === undefined;
      const lists =
        form === 'list' &&
        stored.every(([, key]) =>
          text
            .split(/\r?\n/)
            .map((line) => line.trim())
            .includes(key),
        );
      count(place, text, isPair || nothing || unquoted || lists ? 'roundTrips' : undefined);
      expect(keyProblem(text) === undefined || !isPair, place, text, 'is published, and no key');
    }
    for (const file of Object.keys(written)) await rm(path.join(options.themesDir, file));
  }
}

// --- names of folders and files ---------------------------------------------------------------------------------------------

await freshThemes();
for (const text of strings) {
  if (!isFileName(text) || existsSync(path.join(options.themesDir, text))) continue;
  await writeYaml(`${text}/theme.yaml`, { id: 2, name: 'other', extends: 'base' });
  const { ok, diagnostics, themes } = await check(options);
  expectPlain(diagnostics, 'folder name');
  const used = ok && (themes === 2 || text.startsWith('.'));
  count('folder name', text, used ? 'roundTrips' : ok ? undefined : 'rejected');
  await rm(path.join(options.themesDir, text), { recursive: true });
}
await writeYaml('other/theme.yaml', { id: 2, name: 'other', extends: 'base' });
for (const text of strings) {
  const file = `${text}.svg`;
  if (!isFileName(file)) continue;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>`;
  await writeFile(path.join(options.themesDir, 'other', file), svg);
  const unused = await check(options);
  expectPlain(unused.diagnostics, 'unused file');
  const isReported = unused.diagnostics.length > 0;
  count('unused file', text, isReported ? 'rejected' : text.startsWith('.') || text === '' ? 'roundTrips' : undefined);
  await writeYaml('other/theme.yaml', { id: 2, name: 'other', extends: 'base', logo: file });
  const { ok, diagnostics } = await build(options);
  expectPlain(diagnostics, 'image');
  if (!ok) count('image', text, 'rejected');
  else {
    const { logo } = JSON.parse(await readFile(path.join(options.outDir, 'api/v2/theme/config/other.json'), 'utf8'));
    const { pathname } = new URL(logo);
    const published = await readFile(path.join(options.outDir, decodeURIComponent(pathname)), 'utf8').catch(() => '');
    count('image', text, published.includes('h9v9z') && /^[\w/.~-]+$/.test(pathname) ? 'roundTrips' : undefined);
  }
  await rm(path.join(options.themesDir, 'other', file));
  await writeYaml('other/theme.yaml', { id: 2, name: 'other', extends: 'base' });
}

/** @param {string} text */
function isFileName(text) {
  const bytes = Buffer.from(text);
  return (
    text !== '' &&
    text !== '.' &&
    text !== '..' &&
    !/[/\u0000]/.test(text) &&
    bytes.length <= 255 &&
    bytes.toString() === text
  );
}

// --- the pages, in a browser without their policy ---------------------------------------------------------------------------

await freshThemes({ repository_url: 'https://git.example.org/x' });
for (const [at, name] of [...names].entries())
  await writeYaml(`n-${at}/theme.yaml`, { id: at + 2, name, extends: 'base' });
await build(options);
const CHROMIUM = '/usr/bin/chromium';
let browsed = 'no browser';
if (existsSync(CHROMIUM)) {
  const server = createServer((request, response) => {
    readFile(path.join(options.outDir, new URL(request.url ?? '', 'http://x').pathname)).then(
      // Without any header but the type: the pages must be harmless by themselves.
      (bytes) =>
        response
          .writeHead(200, {
            'Content-Type': request.url?.endsWith('.html')
              ? 'text/html'
              : request.url?.endsWith('.svg')
                ? 'image/svg+xml'
                : 'image/png',
          })
          .end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  const page = await (await browser.newContext({ bypassCSP: true })).newPage();
  let dialogs = 0;
  /** @type {Set<string>} */
  const origins = new Set();
  page.on('dialog', (dialog) => {
    dialogs++;
    void dialog.dismiss();
  });
  page.on('request', (request) => origins.add(new URL(request.url()).origin));
  await page.goto(`${origin}/api/v2/theme/browse.html`);
  await page.mouse.click(200, 200);
  for (let press = 0; press < 20; press++) await page.keyboard.press('Tab');
  const headings = await page.locator('article h3').allTextContents();
  const sent = new Set(headings);
  for (const name of names) expect(sent.has(name), 'page', name, 'is not its heading');
  const scripts = await page.locator('script, iframe, object, embed, base, form, [onload], [onerror]').count();
  // The images are at the public URL of the site, which the test does not serve.
  origins.delete('https://community.example.org');
  expect(dialogs === 0 && scripts === 0, 'page', '', `${dialogs} dialogs, ${scripts} elements that act`);
  expect(
    [...origins].every((one) => one === origin),
    'page',
    '',
    `asks ${[...origins].join()}`,
  );
  browsed = `${headings.length} names in Chromium, ${dialogs} scripts run, ${[...origins].filter((one) => one !== origin).length} requests elsewhere`;
  await browser.close();
  server.closeAllConnections();
  server.close();
}

await rm(root, { recursive: true, force: true });
for (const failure of failures.slice(0, 100)) process.stderr.write(`${failure}\n`);
const { cases, rejected, roundTrips } = counts;
process.stdout.write(
  `stress hostile-strings: ${strings.length} strings, ${cases} cases, ${rejected} rejected, ${roundTrips} round trips, ${browsed}, ${failures.length} failures\n`,
);
process.exitCode = failures.length === 0 ? 0 : 1;
