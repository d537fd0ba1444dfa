import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build } from '../src/compiler/build.ts';
import type { ThemeRecord } from '../src/document/record.ts';
import type { Build, PublishedFile } from '../src/hosts/published-build.ts';
import { readBuild } from '../src/compiler/read-build.ts';
import { verify } from '../src/verify/io/verify.ts';
import { makeSite, removeSite, type SiteFolder } from './site-folder.ts';
import { skip } from './skip.ts';
import { fillOldService, missingForOldService, type OldService, startOldService } from './verify/old-service.ts';

const LIST = '/api/v2/theme/';
const SAFE = /^(?:GET|HEAD|OPTIONS) /;

/** Tests that `verify` harms no service that themecast replaces, in these settings. */
export function oldServiceSuite(settings: readonly Readonly<Record<string, string>>[]): void {
  const missing = missingForOldService();
  if (missing !== undefined) {
    const { reason, isOptional } = missing;
    it('verifies the service that themecast replaces', (context) =>
      isOptional ? context.skip(reason) : skip(context, reason));
    return;
  }
  let filled = '';
  beforeAll(async () => {
    filled = await fillOldService();
  }, 240_000);
  afterAll(() => rm(filled, { recursive: true, force: true }));
  describe.each(settings)('old service: %j', (env) => verifiesUnharmed(env, () => filled));
}

function verifiesUnharmed(env: Readonly<Record<string, string>>, filled: () => string): void {
  let site: SiteFolder;
  let service: OldService;
  let before: Buffer;
  beforeAll(async () => {
    service = await startOldService(filled(), env);
    before = await service.database();
    site = await makeSite({
      site: { base_url: service.url },
      themes: { alder: {}, meadow: {} },
      users: [['u-100000', 'meadow']],
    });
    expect(await build(site)).toMatchObject({ ok: true });
  }, 120_000);
  afterAll(async () => {
    await service?.stop();
    await removeSite(site);
  });

  // As after an import that leaves the images in place: `allowed_hosts` lets themes name them.
  it(
    'receives only GET, HEAD and OPTIONS, even if its list and its images are those of the build',
    { timeout: 60_000 },
    async () => {
      const built = await asIfBuiltFrom(
        service.url,
        await readBuild(site.outDir, site.edgeOutDir, [], () => undefined),
      );
      const { notes } = await verify({ url: service.url, build: built }, { timeoutMs: 10_000 });
      expect(notes.join()).toContain('POST and PUT were not sent');
      const requests = await service.requests();
      expect(requests.length).toBeGreaterThan(5);
      expect(requests.filter((request) => !SAFE.test(request))).toEqual([]);
      expect((await service.database()).equals(before)).toBe(true);
    },
  );
}

/** A build whose list document is that of a service, byte for byte. */
async function asIfBuiltFrom(url: string, built: Build): Promise<Build> {
  const text = await (await fetch(url + LIST)).text();
  const file: PublishedFile = {
    path: `${LIST.slice(1)}index.json`,
    bytes: Buffer.byteLength(text),
    sha256: createHash('sha256').update(text).digest('hex'),
    type: 'application/json',
  };
  return { ...built, list: JSON.parse(text) as ThemeRecord[], files: new Map([...built.files, [file.path, file]]) };
}
