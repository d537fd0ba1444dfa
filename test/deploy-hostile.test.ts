import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEPLOYED_HOSTS, hasServers } from '../src/hosts/adapter/deploy-scripts.ts';
import { run } from './command-line.ts';
import { installed } from './hosts/process.ts';
import { type Listening, listening } from './listening.ts';
import { makeSite, removeSite, type SiteFolder } from './site-folder.ts';
import { skip } from './skip.ts';

// An archive of a build is data: whatever its files say, a deployment runs the scripts of the package alone.

let folder: string;
let service: Listening;
const marker = (): string => path.join(folder, 'has-run');
const touch = (): string => `touch ${marker()}`;
/** Text that ends quotes, a line, an argument or a here-document of a shell, and then runs a command. */
const payload = (line = ' '): string =>
  `$(${touch()})\`${touch()}\`;${touch()};'${line}${touch()}${line}'";${touch()};"${line}EOF${line}${touch()}${line}REMOTE`;

/** Tools that only note their arguments; ssh runs its command here, and the last ends the deployment. */
const TOOLS: Readonly<Record<string, string>> = {
  ssh: `shift; sh -c "$*"`,
  rsync: `case "$*" in *deployment.json*) exit 9 ;; esac`,
  'themecast-rules': 'echo 2',
  rclone: `case "$1" in cat) exit 3 ;; copyto) exit 9 ;; esac`,
  aws: 'exit 9',
  npx: 'case "$*" in *-c*) cd "$EDGE" && PATH="$PATH" netlify ;; esac; exit 9',
  netlify: 'exit 9',
};

const SETTINGS: Readonly<Record<string, string>> = {
  DEPLOY_SERVER: 'deploy@server',
  DEPLOY_RELOAD: 'themecast-rules',
  DEPLOY_REMOTE: 'store:bucket',
  ...Object.fromEntries(
    [
      ...'CLOUDFLARE_API_TOKEN CLOUDFLARE_ACCOUNT_ID NETLIFY_AUTH_TOKEN NETLIFY_SITE_ID VERCEL_TOKEN'.split(' '),
      ...'VERCEL_ORG_ID VERCEL_PROJECT_ID DISTRIBUTION_ID KVS_ARN'.split(' '),
    ].map((name) => [name, 'x']),
  ),
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'themecast-hostile-'));
  await mkdir(path.join(folder, 'bin'));
  for (const [name, text] of Object.entries(TOOLS))
    await writeFile(path.join(folder, 'bin', name), `#!/bin/sh\necho "${name} $*" >>'${folder}/calls'\n${text}\n`, {
      mode: 0o755,
    });
  // Nothing is live yet.
  service = await listening((_, response) => response.writeHead(404).end());
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

interface Rules {
  basePath: string;
  baseUrl: string;
  origin: { document_root: string };
  headers: { media: Record<string, string> };
  endpoints: Record<string, { cacheControl: string }>;
}

describe.each(DEPLOYED_HOSTS)('a deployment to %s', (host) => {
  let site: SiteFolder;
  beforeAll(async () => {
    const users = host === 'static' ? {} : { identity: [{ user: { cookie: 'uid' } }] };
    const origin = { document_root: path.join(folder, 'srv', host, 'dist') };
    site = await makeSite({
      site: { base_url: `http://127.0.0.1:${service.port}`, edge: [host], ...users, origin },
      themes: { harbor: {} },
    });
  });
  afterAll(() => removeSite(site));

  /** Builds, changes the archive, and deploys. */
  const deploy = async (change: (rules: Rules) => void, more?: () => Promise<unknown>) => {
    await rm(path.join(folder, 'calls'), { force: true });
    const built = await run(['build', '--quiet', '--commit', 'a'.repeat(40)], { cwd: site.root });
    expect(built.stderr).toBe('');
    const file = path.join(site.edgeOutDir, 'rules.json');
    const rules = JSON.parse(await readFile(file, 'utf8')) as { rules: Rules };
    change(rules.rules);
    await writeFile(file, JSON.stringify(rules));
    await more?.();
    const env = { ...SETTINGS, PATH: `${path.join(folder, 'bin')}:${process.env['PATH']}` };
    const result = await run(['deploy', host], { cwd: site.root, env });
    expect(existsSync(marker()), result.stdout + result.stderr).toBe(false);
    expect(result.code).not.toBe(0);
    return result;
  };
  const calls = () => readFile(path.join(folder, 'calls'), 'utf8');

  it.each<[string, (rules: Rules) => void]>([
    ['the path of base_url', (rules) => (rules.basePath = `/x${payload()}`)],
    ['base_url', (rules) => (rules.baseUrl += `/x${payload()}`)],
    ...(hasServers(host)
      ? [['origin.document_root', (rules: Rules) => (rules.origin.document_root += payload('\n'))] as const]
      : []),
  ] as [string, (rules: Rules) => void][])('refuses commands in %s', async (_, change) => {
    const { code, stderr } = await deploy(change);
    expect([code, stderr]).toEqual([2, expect.stringContaining('a deployment takes no such characters')]);
    expect(existsSync(path.join(folder, 'calls'))).toBe(false);
  });

  it('runs no command in headers, lists and build.json, and no program of the archive', async (context) => {
    const needsCurl = !hasServers(host) && !['static', 'cloudfront'].includes(host);
    if (needsCurl && installed('curl', '--version') === undefined)
      skip(context, 'curl is not installed, so no hostile archive is deployed to a platform.');
    const planted = 'deploy.sh publish.sh rclone.sh http-record.sh prepare.sh make-maps.sh';
    await deploy(
      ({ headers, endpoints }) => {
        headers.media['Cache-Control'] = payload();
        for (const endpoint of Object.values(endpoints)) endpoint.cacheControl = payload();
      },
      async () => {
        const edge = path.join(site.edgeOutDir, host);
        for (const name of [...planted.split(' '), 'node_modules/.bin/netlify', 'node_modules/.bin/vercel']) {
          await mkdir(path.dirname(path.join(edge, name)), { recursive: true });
          await writeFile(path.join(edge, name), `#!/bin/sh\n${touch()}\n`, { mode: 0o755 });
        }
        const list = path.join(site.outDir, 'manifest.json');
        const type = JSON.stringify(payload()).slice(1, -1).replaceAll('"', '');
        const text = (await readFile(list, 'utf8')).replaceAll(
          /"type":"[^"]*"/g,
          () => `"type":"${type.replaceAll('\\', '')}"`,
        );
        await writeFile(list, text);
        const manifest = createHash('sha256').update(text).digest('hex');
        const build = { version: 1, commit: 'a'.repeat(40), manifest, ancestors: [payload()] };
        await writeFile(path.join(site.edgeOutDir, 'build.json'), JSON.stringify(build));
      },
    );
    // The scripts of the package have run.
    expect((await calls()).trim().split('\n').length).toBeGreaterThan(0);
    expect(await calls()).toMatch(/^(?:ssh|rclone|aws|npx) /);
  });

  it('needs a full commit in build.json', async () => {
    const { stderr } = await deploy(
      () => undefined,
      async () => {
        const file = path.join(site.edgeOutDir, 'build.json');
        const build = JSON.parse(await readFile(file, 'utf8')) as object;
        await writeFile(file, JSON.stringify({ ...build, commit: payload() }));
      },
    );
    expect(stderr).toContain('This build has no commit');
  });
});
