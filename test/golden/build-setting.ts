import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { adapters } from '../../src/hosts/adapters.ts';
import { build, check, type CheckResult } from '../../src/index.ts';
import { EDGE_HOSTS, type EdgeHost } from '../../src/theme/site.ts';
import { type Portable, portableTree } from './portable.ts';
import { KEY_SECRET, type Setting } from './settings.ts';

const FIXTURES = path.join(import.meta.dirname, '../fixtures');

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
    const rejects = async (hosts: readonly EdgeHost[]): Promise<boolean> => {
      await writeSite(folder, setting, hosts);
      const result = await check({ themesDir: path.join(folder, 'themes'), cacheDir, baseUrl: setting.baseUrl });
      for (const host of result.ok || hosts.length > 1 ? [] : hosts)
        files.set(`refused/${host}.txt`, reported(result, folder));
      return !result.ok;
    };
    // The appearance of a theme makes no difference to a host.
    const hosts = setting.fixtures === undefined ? EDGE_HOSTS : [];
    const together = hosts.filter((host) => adapters[host].publicFiles === undefined);
    const alone = hosts.filter((host) => !together.includes(host));
    const able = new Set(hosts);
    for (const group of [together, alone])
      if (await rejects(group)) for (const host of group) if (await rejects([host])) able.delete(host);

    const first = together.filter((host) => able.has(host));
    for (const [name, content] of await built(folder, setting, first, cacheDir)) files.set(name, content);
    for (const host of alone.filter((each) => able.has(each)))
      for (const [name, content] of await built(folder, setting, [host], cacheDir))
        if (files.get(name)?.equals(content) !== true) files.set(`alone/${host}/${name}`, content);
    return files;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Messages and hints, with paths relative to the site. */
function reported({ diagnostics }: CheckResult, folder: string): Buffer {
  const lines = diagnostics.map(({ code, message, hint }) => `${code}: ${message}\n  ${hint}\n`);
  return Buffer.from(lines.join('').replaceAll(path.relative('', folder), '.').replaceAll(folder, '.'));
}

/** `dist/` and `edge/`, after the previous build if there is one. */
async function built(
  folder: string,
  setting: Setting,
  hosts: readonly EdgeHost[],
  cacheDir: string,
): Promise<Portable> {
  const below = (name: string): string => path.join(folder, name);
  const { filesBefore, baseUrl } = setting;
  for (const output of ['dist', 'edge']) await rm(below(output), { recursive: true, force: true });
  for (const each of filesBefore === undefined ? [setting] : [{ ...setting, files: filesBefore }, setting]) {
    await writeFiles(folder, each);
    await writeSite(folder, each, hosts);
    const result = await build({
      themesDir: below('themes'),
      outDir: below('dist'),
      edgeOutDir: below('edge'),
      cacheDir,
      keySecret: KEY_SECRET,
      baseUrl,
    });
    if (!result.ok) throw new Error(reported(result, folder).toString());
  }
  const files: Portable = new Map();
  for (const output of ['dist', 'edge'])
    for (const [file, bytes] of await portableTree(below(output))) files.set(`${output}/${file}`, bytes);
  return files;
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
