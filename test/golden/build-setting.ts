import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { adapters } from '../../src/hosts/adapter/adapters.ts';
import { build, check, type CheckResult } from '../../src/index.ts';
import { EDGE_HOSTS, type EdgeHost } from '../../src/core/theme/site/site.ts';
import { type Portable, portableTree } from './portable.ts';

const FIXTURES = path.join(import.meta.dirname, '../fixtures');
const KEY_SECRET = 'key-secret-0123456789-abcdefghijklmnop';

/** A site that is built for a golden file: the base fixture with these settings. */
interface Setting {
  /** Settings of site.yaml besides `base_url` and `edge`. */
  site?: Readonly<Record<string, unknown>>;
  /** Valid fixtures that are copied over the base, in order. */
  fixtures?: readonly string[];
  /** Additional files, by path relative to the themes folder. */
  files?: Readonly<Record<string, string>>;
  /** The value of `--base-url`, which overrides `base_url`. */
  baseUrl?: string;
}

export const SETTINGS = parse(readFileSync(path.join(import.meta.dirname, 'settings.yaml'), 'utf8')) as Readonly<
  Record<string, Setting>
>;

/**
 * Returns the published files of a setting: `dist/` and `edge/` for the hosts that support it, and the errors of all other hosts. Hosts
 * that write into `dist/` are built separately, and add only the files that differ.
 * @param cacheDir - where thumbnails are cached for all settings
 */
export async function publishedFiles(setting: Setting, cacheDir: string): Promise<Portable> {
  const folder = await mkdtemp(path.join(tmpdir(), 'themecast-golden-'));
  try {
    await copyFixtures(folder, setting);
    const files: Portable = new Map();
    // Hosts do not depend on the appearance of a theme, so settings with fixtures are built without them.
    const hosts = setting.fixtures === undefined ? EDGE_HOSTS : [];
    const separateHosts = hosts.filter((host) => adapters[host].publicFiles !== undefined);
    const combinedHosts = hosts.filter((host) => !separateHosts.includes(host));
    const add = (label: string, { result, published }: BuildOutput): void => {
      if (!result.ok) files.set(`refused/${label}.txt`, formatDiagnostics(result, folder));
      for (const [name, content] of published)
        if (files.get(name)?.equals(content) !== true)
          files.set(label === '' ? name : `alone/${label}/${name}`, content);
    };
    const combinedBuild = await buildHosts(folder, setting, combinedHosts, cacheDir);
    if (combinedBuild.result.ok) add('', combinedBuild);
    else {
      const supportingHosts: EdgeHost[] = [];
      for (const host of combinedHosts) {
        await writeSite(folder, setting, [host]);
        const result = await check({ themesDir: path.join(folder, 'themes'), cacheDir, baseUrl: setting.baseUrl });
        if (result.ok) supportingHosts.push(host);
        else add(host, { result, published: new Map() });
      }
      add('', await buildHosts(folder, setting, supportingHosts, cacheDir));
    }
    for (const host of separateHosts) add(host, await buildHosts(folder, setting, [host], cacheDir));
    return files;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns messages and hints, with paths relative to the site. */
function formatDiagnostics({ diagnostics }: BuildOutput['result'], folder: string): Buffer {
  const lines = diagnostics.map(({ code, message, hint }) => `${code}: ${message}\n  ${hint}\n`);
  return Buffer.from(lines.join('').replaceAll(path.relative('', folder), '.').replaceAll(folder, '.'));
}

interface BuildOutput {
  result: Pick<CheckResult, 'ok' | 'diagnostics'>;
  published: Portable;
}

/** Returns `dist/` and `edge/`, or nothing if the build fails. */
async function buildHosts(
  folder: string,
  setting: Setting,
  hosts: readonly EdgeHost[],
  cacheDir: string,
): Promise<BuildOutput> {
  const pathInFolder = (name: string): string => path.join(folder, name);
  for (const output of ['dist', 'edge']) await rm(pathInFolder(output), { recursive: true, force: true });
  await writeSite(folder, setting, hosts);
  const result = await build({
    themesDir: pathInFolder('themes'),
    outDir: pathInFolder('dist'),
    edgeOutDir: pathInFolder('edge'),
    cacheDir,
    keySecret: KEY_SECRET,
    baseUrl: setting.baseUrl,
  });
  if (!result.ok) return { result, published: new Map() };
  const published: Portable = new Map();
  for (const output of ['dist', 'edge'])
    for (const [file, bytes] of await portableTree(pathInFolder(output))) published.set(`${output}/${file}`, bytes);
  return { result: { ok: true, diagnostics: [] }, published };
}

async function copyFixtures(folder: string, setting: Setting): Promise<void> {
  const descriptions = /\/(?:want\.json|without\.txt)$/;
  for (const source of ['base', ...(setting.fixtures ?? []).map((name) => `valid/${name}`)])
    await cp(path.join(FIXTURES, source), path.join(folder, 'themes'), {
      recursive: true,
      filter: (file) => !descriptions.test(file),
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
