import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readRules } from '../../src/compiler/serve/read-build.ts';
import type { EdgeHost } from '../../src/core/theme/site/site.ts';
import { scriptFor } from '../../src/commands/deploy/io/script.ts';
import { build } from '../../src/compiler/build.ts';
import { parseManifest, recordText } from '../../src/core/document/files/deployment.ts';
import { servedText } from '../../src/commands/deploy/plan.ts';
import { installed } from '../hosts/process.ts';
import { BASE_URL, makeSite, removeSite, type SiteFolder, treeHashes } from '../site-folder.ts';
import { skipAll } from '../skip.ts';

const RECORD = 'api/v2/theme/deployment.json';
const CONFIG = 'api/v2/theme/config/index.json';

/** A host's tools, and the calls of its script in order: images, documents, users, deletions, record. */
interface HostCalls {
  env: Readonly<Record<string, string>>;
  /** Stubs of the tools, as shell scripts by name. */
  tools: Readonly<Record<string, string>>;
  calls: readonly RegExp[];
}

const RCLONE_FIRST = [
  /^rclone copy .*image\/.*immutable/,
  /^rclone check /,
  /^rclone copyto \S+\/manifest\.json/,
  /^rclone copy .*text\/css/,
  /^rclone copy .*text\/html/,
];
const RCLONE_LAST = [/^rclone deletefile \S+\/config\/gone\.json/, /^rclone copyto \S+\/record \S+\/deployment\.json /];

const HOSTS: Readonly<Record<string, HostCalls>> = {
  cloudflare: {
    env: { CLOUDFLARE_API_TOKEN: 'token', CLOUDFLARE_ACCOUNT_ID: 'account' },
    tools: {
      npx: `case "$*" in *'key list'*) echo '[{"name":"u:gone"}]' ;; *'key get'*) echo '{}' ;;
*--assets*) while [ "$1" != --assets ]; do shift; done; if [ -e "$2/${RECORD}" ]; then echo '  with a record' >>"$CALLS"; fi ;; esac`,
    },
    calls: [
      /^npx .*wrangler deploy --assets/,
      /^npx .*kv bulk put \S+users\.json/,
      /^npx .*kv key list/,
      /^npx .*kv bulk delete \S+gone --force/,
      /^npx .*wrangler deploy --assets/,
      /^ {2}with a record/,
    ],
  },
  vercel: {
    env: { VERCEL_TOKEN: 'token', VERCEL_ORG_ID: 'org', VERCEL_PROJECT_ID: 'project' },
    tools: {
      npx: `while [ "$1" != --cwd ]; do shift; done; if [ -e "$2/public/${RECORD}" ]; then echo '  with a record' >>"$CALLS"; fi`,
    },
    calls: [/^npx --no-install vercel deploy --prod/, /^ {2}with a record/],
  },
  cloudfront: {
    env: { DISTRIBUTION_ID: 'distribution', KVS_ARN: 'arn' },
    tools: {
      aws: `case "$*" in *list-keys*) echo '{"Items":[{"Key":"u:gone","Value":"x"},{"Key":"secret:a","Value":"x"}]}' ;;
*describe-function*) echo '{"ETag":"E","FunctionSummary":{"FunctionConfig":{}}}' ;;
*get-function*) for file; do :; done; echo old >"$file" ;; *) echo E ;; esac`,
    },
    calls: [
      ...RCLONE_FIRST,
      /^aws cloudfront create-invalidation /,
      /^aws cloudfront-keyvaluestore list-keys /,
      /^aws cloudfront-keyvaluestore update-keys .*--puts/,
      /^aws cloudfront publish-function --name themecast-request/,
      /^aws cloudfront publish-function --name themecast-response/,
      /^aws cloudfront-keyvaluestore update-keys .*--deletes \[\{"Key":"u:gone"\}\]$/,
      ...RCLONE_LAST,
    ],
  },
  static: { env: {}, tools: {}, calls: [...RCLONE_FIRST, ...RCLONE_LAST] },
};

const rclone = installed('rclone', 'version');
const missingTools = ['jq', 'rclone'].filter(
  (name) => installed(name, name === 'jq' ? '--version' : 'version') === undefined,
);

if (missingTools.length > 0) skipAll('the order of deployments', `${missingTools.join(' and ')} not installed.`);
else
  describe.each(Object.entries(HOSTS))('the deployment to %s', (host, { env, tools, calls: expected }) => {
    let site: SiteFolder;
    let script: ReturnType<typeof scriptFor>;
    let folder: string;
    const at = (name: string): string => path.join(folder, name);
    const hasBucket = ['cloudfront', 'static'].includes(host);

    beforeAll(async () => {
      const users = host === 'static' ? [] : [['tom', 'meadow'] as const];
      const identity = host === 'static' ? {} : { identity: [{ user: { cookie: 'uid' } }] };
      site = await makeSite({
        site: { base_url: BASE_URL, edge: [host], ...identity },
        themes: { harbor: {}, meadow: {} },
        users,
      });
      expect((await build(site)).ok).toBe(true);
      script = scriptFor(host as EdgeHost, await readRules(site.edgeOutDir), site.edgeOutDir);
    });
    afterAll(() => removeSite(site));
    beforeEach(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'themecast-order-'));
      await mkdir(at('bin'));
      await mkdir(at(`remote/${path.dirname(RECORD)}/config`), { recursive: true });
      await writeFile(at('remote/api/v2/theme/config/gone.json'), '{}');
      await writeFile(at('gone'), 'api/v2/theme/config/gone.json\n');
      const record = { commit: 'f'.repeat(40), time: '2026-11-25T10:12:00.000Z', manifest: 'a'.repeat(64) };
      await writeFile(at('record'), recordText({ ...record, cache_control: {}, retained: [] }));
      // The stub of curl responds with 404, because nothing is live yet.
      const stubs = { ...tools, curl: 'printf 404', rclone: `exec ${pathOf(rclone ?? '')} "$@"` };
      for (const [name, text] of Object.entries(stubs))
        await writeFile(
          at(`bin/${name}`),
          `#!/bin/sh\necho "${name} $*" >>"$CALLS"\n[ "$(grep -c '^[a-z]' "$CALLS")" != "\${FAIL:-0}" ] || exit 9\n${text}\n`,
          { mode: 0o755 },
        );
    });
    afterEach(() => rm(folder, { recursive: true }));

    const deploy = (fail = 0, changes: Record<string, string> = {}): SpawnSyncReturns<string> => {
      writeFileSync(
        at('served'),
        servedText(parseManifest(readFileSync(path.join(site.outDir, 'manifest.json'), 'utf8'))?.files ?? []),
      );
      return spawnSync('sh', [script.script], {
        encoding: 'utf8',
        env: {
          ...script.variables,
          DIST: site.outDir,
          PATH: `${at('bin')}:${process.env['PATH']}`,
          HOME: folder,
          TMPDIR: folder,
          CALLS: at('calls'),
          FAIL: String(fail),
          SPREAD: '0',
          RECORD: at('record'),
          SERVED: at('served'),
          EXPECT: '-',
          GONE: at('gone'),
          DEPLOY_REMOTE: at('remote'),
          ...env,
          ...changes,
        },
      });
    };
    const readCalls = async (): Promise<string[]> => (await readFile(at('calls'), 'utf8')).trimEnd().split('\n');

    it('uploads images, documents and users, deletes removed files, then writes the record', async () => {
      const { status, stderr } = deploy();
      expect({ status, stderr }).toMatchObject({ status: 0 });
      const lines = await readCalls();
      let from = 0;
      for (const call of expected) {
        const position = lines.findIndex((line, index) => index >= from && call.test(line));
        expect(position, `${String(call)} after ${from} of:\n${lines.join('\n')}`).toBeGreaterThanOrEqual(0);
        from = position + 1;
      }
      expect(from).toBe(lines.length);
    });

    const rcloneStub = (text: string): Promise<void> =>
      writeFile(at('bin/rclone'), `#!/bin/sh\n${text}\nexec ${pathOf(rclone ?? '')} "$@"\n`);
    /** Returns the files in the bucket, except the record and the manifest of the deployment. */
    const uploaded = async (): Promise<Record<string, string>> => {
      const { [RECORD]: _, 'api/v2/theme/manifest.json': __, ...files } = await treeHashes(at('remote'));
      return files;
    };
    /** Returns the files of the build that belong in the bucket. */
    const buildFiles = async (): Promise<Record<string, string>> => {
      const { 'manifest.json': _, _headers: __, ...files } = await treeHashes(site.outDir);
      return files;
    };

    if (hasBucket)
      it('uploads every file, even over a file of equal length and time', async () => {
        expect(deploy().status).toBe(0);
        expect(await uploaded()).toEqual(await buildFiles());
        const [from, to] = [path.join(site.outDir, CONFIG), at(`remote/${CONFIG}`)];
        const { mtime } = await stat(from);
        await writeFile(to, (await readFile(from, 'utf8')).replace('harbor', 'HARBOR'));
        await utimes(to, mtime, mtime);
        expect(deploy(0, { EXPECT: 'any' }).status).toBe(0);
        expect(await uploaded()).toEqual(await buildFiles());
      });

    if (hasBucket)
      it('reports a wrong bucket, and writes no record after another deployment', async () => {
        const failWith = (changes: Record<string, string>): unknown[] => {
          const { status, stderr } = deploy(0, changes);
          return [status, stderr];
        };
        const live = at(`remote/${RECORD}`);
        expect(failWith({ DEPLOY_REMOTE: at('none') })).toEqual([
          78,
          expect.stringContaining('cannot be listed: create the'),
        ]);
        expect(failWith({ EXPECT: 'a'.repeat(64) })).toEqual([
          78,
          expect.stringContaining('Is it of another bucket or folder'),
        ]);
        // The other deployment ends while this one uploads documents.
        await rcloneStub(`case "$*" in *text/html*) echo other >'${live}' ;; esac`);
        expect(failWith({})).toEqual([75, expect.stringContaining('Another deployment came first')]);
        expect(await readFile(live, 'utf8')).toBe('other\n');
        expect(existsSync(at('remote/api/v2/theme/manifest.json'))).toBe(false);
        expect(failWith({})).toEqual([75, expect.stringContaining('Another deployment came first')]);
        await rcloneStub('if [ "$1" = cat ]; then echo forbidden >&2; exit 1; fi');
        expect(failWith({})).toEqual([1, expect.stringMatching(/forbidden\n.*deployment\.json cannot be read/)]);
      });

    it('stops where a tool fails, and writes no record', { timeout: 240_000 }, async () => {
      deploy();
      const total = (await readCalls()).filter((line) => !line.startsWith(' ')).length;
      for (let fail = 1; fail <= total; fail += 2) {
        await rm(at('calls'));
        await rm(at('remote'), { recursive: true });
        await mkdir(at('remote'));
        const { status } = deploy(fail);
        const lines = await readCalls();
        // Failed deletions are tolerated, and a failed tool may be called again for its message.
        if (status === 0) expect(lines.join('\n')).toMatch(/deletefile|check/);
        else expect(existsSync(at(`remote/${RECORD}`))).toBe(false);
        if (host !== 'static') continue;
        expect(deploy(0, { EXPECT: 'any' }).status).toBe(0);
        expect(await uploaded()).toEqual(await buildFiles());
      }
    });
  });

function pathOf(name: string): string {
  return spawnSync('sh', ['-c', 'command -v "$1"', 'sh', name], { encoding: 'utf8' }).stdout.trim();
}
