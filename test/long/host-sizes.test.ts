import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { EdgeAdapter } from '../../src/hosts/adapter/adapter.ts';
import { netlify } from '../../src/hosts/netlify/index.ts';
import { vercel } from '../../src/hosts/vercel/index.ts';
import { readRuntime } from '../../src/compiler/runtime.ts';
import { type Assignment, mappingOf } from '../sample-users.ts';
import { publishSite, removeSite, SECRETS, THEMES, templates } from '../hosts/site.ts';

/** Returns the compressed size of a host's code in bytes, with the declared number of long, dissimilar keys. */
async function compressedSize(adapter: EdgeAdapter, keyed: boolean): Promise<number> {
  const site = await publishSite({ mapping: { keyed } });
  const { maxKeys: length } = (keyed ? adapter.capabilities.keyed : undefined) ?? adapter.capabilities;
  const assignments = Array.from({ length }, (_, index): Assignment => ({
    kind: 'user',
    key: createHash('sha512').update(String(index)).digest('base64url').padEnd(128, String(index)),
    theme: THEMES[index % THEMES.length] ?? '',
  }));
  await removeSite(site);
  const report = () => undefined;
  const files = adapter.files({
    rules: site.rules,
    mapping: await mappingOf(assignments, keyed ? SECRETS.THEMECAST_KEY_SECRET : undefined),
    runtime: await readRuntime(),
    templates,
    report,
  });
  const code = files.flatMap(({ path, content }) => (path.endsWith('.js') && 'text' in content ? [content.text] : []));
  return gzipSync(code.join('')).length;
}

const MIB = 1024 * 1024;

describe('the code of a host', () => {
  it.each([
    ['Vercel', vercel, false, MIB],
    ['Vercel', vercel, true, MIB],
    ['Netlify', netlify, false, 20 * MIB],
  ] as const)('fits the limit of %s with the declared number of the longest keys', async (_, adapter, keyed, max) => {
    expect(await compressedSize(adapter, keyed)).toBeLessThan(max);
  });
});
