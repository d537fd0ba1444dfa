import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { adapters } from '../../src/hosts/adapters.ts';
import { build, check, type CheckResult } from '../../src/index.ts';
import { EDGE_HOSTS, type EdgeHost } from '../../src/theme/site.ts';
import { type Portable, portableTree } from './portable.ts';

const FIXTURES = path.join(import.meta.dirname, '../fixtures');
const KEY_SECRET = 'key-secret-0123456789-abcdefghijklmnop';

/** A site that is built for a golden file: the base fixture with these settings. */
interface Setting {
  /** Settings of site.yaml besides `base_url` and `edge`. */
  site?: Readonly<Record<string, unknown>>;
  /** Valid fixtures that are copied over the base, in order. */
  fixtures?: readonly string[];
  /** Further files, by path relative to the themes folder. */
  files?: Readonly<Record<string, string>>;
  /** Overrides `base_url`, as `--base-url` does. */
  baseUrl?: string;
}

export const SETTINGS = parse(readFileSync(path.join(import.meta.dirname, 'settings.yaml'), 'utf8')) as Readonly<
  Record<string, Setting>
>;

/**
 * Everything that is published for a setting: `dist/` and `edge/` for all hosts that support it, and the errors of the others.
 * Hosts that write into `dist/` are built alone, and add what differs from the build of the others.
 * @param cacheDir - where thumbnails are cached for all settings
 */
export async function publishedFiles(setting: Setting, cacheDir: string): Promise<Portable> {
  const folder = await mkdtemp(path.join(tmpdir(), 'themecast-golden-'));
  try {
    await copyFixtures(folder, setting);
    const files: Portable = new Map();
    // The appearance of a theme makes no difference to a host.
    const hosts = setting.fixtures === undefined ? EDGE_HOSTS : [];
    const alone = hosts.filter((host) => adapters[host].publicFiles !== undefined);
    const together = hosts.filter((host) => !alone.includes(host));
    const add = (of: string, { result, published }: Built): void => {
      if (!result.ok) files.set(`refused/${of}.txt`, reported(result, folder));
      for (const [name, content] of published)
        if (files.get(name)?.equals(content) !== true) files.set(of === '' ? name : `alone/${of}/${name}`, content);
    };
    const first = await built(folder, setting, together, cacheDir);
    if (first.result.ok) add('', first);
    else {
      const able: EdgeHost[] = [];
      for (const host of together) {
        await writeSite(folder, setting, [host]);
        const result = await check({ themesDir: path.join(folder, 'themes'), cacheDir, baseUrl: setting.baseUrl });
        if (result.ok) able.push(host);
        else add(host, { result, published: new Map() });
      }
      add('', await built(folder, setting, able, cacheDir));
    }
    for (const host of alone) add(host, await built(folder, setting, [host], cacheDir));
    return files;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Messages and hints, with paths relative to the site. */
function reported({ diagnostics }: Built['result'], folder: string): Buffer {
  const lines = diagnostics.map(({ code, message, hint }) => `${code}: ${message}\n  ${hint}\n`);
  return Buffer.from(lines.join('').replaceAll(path.relative('', folder), '.').replaceAll(folder, '.'));
}

interface Built {
  result: Pick<CheckResult, 'ok' | 'diagnostics'>;
  published: Portable;
}

/** `dist/` and `edge/`; nothing where a build fails. */
async function built(folder: string, setting: Setting, hosts: readonly EdgeHost[], cacheDir: string): Promise<Built> {
  const below = (name: string): string => path.join(folder, name);
  for (const output of ['dist', 'edge']) await rm(below(output), { recursive: true, force: true });
  await writeSite(folder, setting, hosts);
  const result = await build({
    themesDir: below('themes'),
    outDir: below('dist'),
    edgeOutDir: below('edge'),
    cacheDir,
    keySecret: KEY_SECRET,
    baseUrl: setting.baseUrl,
  });
  if (!result.ok) return { result, published: new Map() };
  const published: Portable = new Map();
  for (const output of ['dist', 'edge'])
    for (const [file, bytes] of await portableTree(below(output))) published.set(`${output}/${file}`, bytes);
  return { result: { ok: true, diagnostics: [] }, published };
}

async function copyFixtures(folder: string, setting: Setting): Promise<void> {
  const about = /\/(?:want\.json|without\.txt)$/;
  for (const source of ['base', ...(setting.fixtures ?? []).map((name) => `valid/${name}`)])
    await cp(path.join(FIXTURES, source), path.join(folder, 'themes'), {
      recursive: true,
      filter: (file) => !about.test(file),
    });
  await writeFiles(folder, setting);
}

async function writeFiles(folder: string, { files = {} }: Setting): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    const target = path.join(folder, 'themes', file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, text);
  }
}

async function writeSite(folder: string, { site }: Setting, hosts: readonly EdgeHost[]): Promise<void> {
  const settings = { base_url: 'https://community.example.org', ...site, edge: hosts };
  const yaml = Object.entries(settings).map(([field, value]) => `${field}: ${JSON.stringify(value)}\n`);
  await writeFile(path.join(folder, 'themes/site.yaml'), yaml.join(''));
}
