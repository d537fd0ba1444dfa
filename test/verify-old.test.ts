import type { IncomingMessage, ServerResponse } from 'node:http';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Listening, listening } from './listening.ts';
import { readRules } from '../src/compiler/serve/read-build.ts';
import { type CompareOptions, compareServices, openNew, Service } from '../src/commands/verify/io/old.ts';
import type { CheckResult, Verification } from '../src/commands/verify/result.ts';
import { run, type Run } from './command-line.ts';
import { makeSite, removeSite, type SiteFolder } from './site-folder.ts';

const LIST = '/api/v2/theme/';
const LOGO = '/media/logo.svg';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let site: SiteFolder;
let server: Listening;
let url = '';
let record: Record<string, unknown>;
/** Responses of the old service that differ from the defaults, by path. */
let answers: Record<string, Answer>;
/** The requests that the old service received. */
let received: IncomingMessage[];

beforeAll(async () => {
  site = await makeSite();
  server = await listening((request, response) => {
    received.push(request);
    const pathname = (request.url ?? '').replace(/\?.*/, '');
    const answer = answers[request.url ?? ''] ?? answers[pathname];
    if (answer !== undefined) answer(request, response);
    else if (pathname === LIST) json([record])(request, response);
    else if (pathname === `${LIST}config/`) json({ ...record, palette_preview: [] })(request, response);
    else response.writeHead(404).end();
  });
  ({ url } = server);
  expect(await run(['build', '--quiet'], { cwd: site.root })).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await server.stop();
  await removeSite(site);
});
beforeEach(async () => {
  [record = {}] = JSON.parse(await readFile(path.join(site.outDir, 'api/v2/theme/index.json'), 'utf8')) as [
    typeof record,
  ];
  record['logo'] = url + LOGO;
  answers = {};
  received = [];
});

const json =
  (body: unknown): Answer =>
  (_, response) =>
    void response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
const text =
  (body: string | Buffer, headers: Record<string, string> = {}, status = 200): Answer =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

const compare = (...flags: string[]): Promise<Run> =>
  run(['verify', '--old', url, '--rate', '900', ...flags], { cwd: site.root });

it.each<[string, Answer, string]>([
  ['an error', text('', { 'Retry-After': '0' }, 500), 'LIST of OLD returns no list of themes, but status 500.'],
  [
    'a login page',
    text('<html>Sign in</html>', { 'Content-Type': 'text/html' }),
    'but an HTML page. If it needs a login, pass credentials: `--old-header NAME=VARIABLE`.',
  ],
  [
    'a redirect',
    text('', { Location: 'https://other.example.org/login?next=s3cret' }, 302),
    'but status 302 to https://other.example.org/login. If it needs a login,',
  ],
  [
    'busy for an hour',
    text('', { 'Retry-After': '3600' }, 429),
    '/api/v2/theme/ is busy. It asks to wait 60 minutes before',
  ],
  [
    'continued at another service',
    json({ results: [], next: 'https://other.example.org/x' }),
    'a next page outside of LIST',
  ],
])('exits with 2 if LIST is %s', async (_, answer, message) => {
  answers[LIST] = answer;
  const { code, stdout, stderr } = await compare();
  expect(stderr).toContain(message);
  expect([code, stdout]).toEqual([2, '']);
});

it.each<[string, Answer, string]>([
  ['missing', text('', {}, 404), 'status 404'],
  ['an HTML page', text('<html></html>'), 'no image'],
])('reports an image that is %s, and compares everything else', async (_, answer, message) => {
  answers[LOGO] = answer;
  const { code, stdout, stderr } = await compare('--format', 'json');
  expect(differencesIn(stdout).find((row) => row.message === 'theme 1 logo')?.expected).toContain(message);
  expect([code, stderr]).toEqual([1, '']);
  expect(received.map(({ method }) => method).filter((method) => !/^(?:GET|HEAD|OPTIONS)$/.test(method ?? ''))).toEqual(
    [],
  );
});

it('reports a login page with status 200 instead of the theme of a user', async () => {
  answers[`${LIST}config/`] = text('<html>Sign in</html>', { 'Content-Type': 'text/html' });
  await writeFile(path.join(site.root, 'sessions.csv'), 'user,Cookie\njo,session=7a\n');
  const { stdout } = await compare('--sample', 'sessions.csv:1');
  expect(stdout).toContain('user sessions.csv:2  no theme → theme 1');
});

it('sends credentials only to the endpoints of each service, not to images and redirects', async () => {
  const foreignHeaders: string[] = [];
  const foreignHost = await listening((request, response) => {
    foreignHeaders.push(JSON.stringify(request.headers));
    response.end();
  });
  record['logo'] = `${foreignHost.url}/logo.svg`;
  record['favicon'] = url + LOGO;
  answers[LOGO] = text('', { Location: `${foreignHost.url}/favicon.png` }, 302);
  answers[`${LIST}config/`] = text('', { Location: `${foreignHost.url}/config/` }, 302);
  await writeFile(path.join(site.root, 'sessions.csv'), 'user,Cookie\njo,session=7a\n');
  const flags = ['--old-header', 'Authorization=TOKEN', '--sample', 'sessions.csv:1'];
  const { stdout } = await run(['verify', '--old', url, '--rate', '900', ...flags], {
    cwd: site.root,
    env: { TOKEN: 'Token 9f2c' },
  });
  await foreignHost.stop();
  const authenticated = received.filter(({ headers }) => headers.cookie !== undefined);
  expect(new Set(authenticated.map(({ url: target }) => target?.replace(/\?.*/, '')))).toEqual(
    new Set([LIST, `${LIST}config/`, `${LIST}1/`]),
  );
  expect(received.every(({ headers }) => headers.authorization === 'Token 9f2c')).toBe(true);
  expect(foreignHeaders).toHaveLength(2);
  expect(foreignHeaders.join() + stdout).not.toMatch(/9f2c|7a|\bjo\b/);
});

it('requests images of a staging host at its address if the build is local', async () => {
  const [built] = JSON.parse(await readFile(path.join(site.outDir, 'api/v2/theme/index.json'), 'utf8')) as [
    typeof record,
  ];
  // NEW runs at another address than base_url, which its image URLs contain.
  answers[LIST] = json([built]);
  const manifest = await readFile(path.join(site.outDir, 'manifest.json'), 'utf8');
  for (const { path: file } of (JSON.parse(manifest) as { files: { path: string }[] }).files)
    if (file.startsWith('media/')) answers[`/${file}`] = text(await readFile(path.join(site.outDir, file)));
  answers[`/old${LIST}`] = json([built]);
  const newLogos = async (): Promise<(string | undefined)[]> => {
    const args = ['verify', url, '--old', `${url}/old`, '--rate', '900', '--format', 'json'];
    const { stdout } = await run(args, { cwd: site.root });
    return differencesIn(stdout).flatMap((row) => (row.message === 'theme 1 logo' ? [row.found] : []));
  };
  expect(await newLogos()).toEqual(['an image']);
  expect(received.some(({ url: target }) => target?.startsWith('/media/harbor/') === true)).toBe(true);
});

it('reports rejected credentials without printing them', async () => {
  answers[`${LIST}config/`] = text('{}', { 'Content-Type': 'application/json' }, 401);
  await writeFile(path.join(site.root, 'wrong.csv'), 'user,Authorization\nu-1,Token 1\nu-2,Token 2\n');
  const { stdout } = await compare('--sample', 'wrong.csv:9');
  expect(stdout).toContain('401 → 200');
  expect(stdout).toMatch(/\n\nFix it, or add it with a reason to a file for --accept:\n- what: .+\n {2}reason: …\n$/);
  expect(stdout).not.toContain('Token');
});

it.each<[string[], string]>([
  [['http://127.0.0.1:1', 'http://127.0.0.1:1'], '--old is the URL itself'],
  [['http://127.0.0.1:1'], 'OLD cannot be reached: the connection was refused.'],
  [['http://127.0.0.1:1', '--rate', '0'], '--rate must be a number'],
  [['http://127.0.0.1:1', '--accept', 'accept.yaml'], '`accept.yaml`: entry 2 must have `what` and `reason`'],
])('rejects %j', async (args, message) => {
  await writeFile(path.join(site.root, 'accept.yaml'), '- what: x\n  reason: y\n- what: z\n');
  const { code, stdout, stderr } = await run(['verify', '--old', ...args], { cwd: site.root });
  expect(stderr).toContain(message);
  expect([code, stdout]).toEqual([2, '']);
});

it('sends the header of --old-header with every request to the old service, and never prints it', async () => {
  const secret = 'session=of-an-editor-3f2a9c01';
  answers[LIST] = (request, response) =>
    (request.headers.cookie === secret ? json([record]) : text('{}', {}, 401))(request, response);
  answers[LOGO] = text('', { Location: `${url}${LIST}` }, 302);
  expect((await compare()).stderr).toContain('LIST of OLD returns no list of themes, but status 401.');
  received = [];
  const flags = ['verify', '--old', url, '--rate', '900', '--old-header', 'Cookie=LOGIN'];
  const { stdout, stderr } = await run(flags, { cwd: site.root, env: { LOGIN: secret } });
  expect([stderr, stdout.includes('3f2a9c01')]).toEqual(['', false]);
  // Its images and redirects are of the same origin; the host of an image elsewhere gets nothing.
  const withoutLogin = received.filter(({ headers }) => headers.cookie === undefined);
  expect(withoutLogin).toEqual([]);
  expect(received.length).toBeGreaterThan(3);
});

it('reports changes that break clients: pages that become an array, and missing CORS headers', async () => {
  record['name'] = 'Cafe\u0301';
  const pages = JSON.stringify({ count: 1, next: null, previous: null, results: [record] });
  answers[LIST] = text(pages, { 'Content-Type': 'application/json', 'Access-Control-Allow-Origin': '*' });
  answers[`${LIST}config/`] = ({ headers: { origin = '' } }, response) => {
    if (origin === 'https://app.example.org') response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Allow-Credentials', 'true').setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ ...record, palette_preview: [] }));
  };
  const result = await inProcess({}, [], ['https://app.example.org']);
  const rows = result.results.map(({ message, expected, found }) => `${message}: ${expected} → ${found}`);
  expect(rows).toContain('LIST form: an object with count, next, previous, results → an array');
  expect(rows).toContain('LIST from any origin Access-Control-Allow-Origin: * → none');
  expect(rows).toContain(
    'CONFIG from https://app.example.org Access-Control-Allow-Origin: https://app.example.org → none',
  );
  expect(rows.filter((row) => row.startsWith('CONFIG from any origin'))).toEqual([]);
});

it('reports other features of Django REST Framework that clients may rely on', async () => {
  const logo = await readFile(path.join(site.outDir, new URL(String(record['logo_inverse'])).pathname));
  answers[LOGO] = text(logo, { 'Content-Type': 'image/svg+xml', 'Access-Control-Allow-Origin': '*' });
  answers[`${LIST}1/`] = json(record);
  answers['/api/v2/theme.json'] = json([record]);
  answers[`${LIST}?is_default=true`] = json([]);
  answers[LIST] = ({ headers: { cookie } }, response) =>
    response
      .writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=86400' })
      .end(JSON.stringify(cookie === undefined ? [record] : []));
  answers[`${LIST}config/`] = ({ method }, response) => {
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Cache-Control': 'public, max-age=600',
      ETag: '"x"',
      ...(method === 'OPTIONS' && { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': 'x-app, dnt' }),
    });
    response.end(JSON.stringify({ ...record, palette_preview: [] }));
  };
  const requesters = [
    { name: 'user a.csv:2', headers: { Cookie: 'uid=jo' }, old: { Cookie: 'uid=jo' }, isWrong: false },
  ];
  const result = await inProcess({ requesters }, ['logo']);
  const rows = result.results.filter(({ ok }) => !ok).map(({ message }) => message);
  for (const name of [
    'suffix path LIST.json status',
    'LIST ?is_default= body',
    'user a.csv:2 LIST',
    'CONFIG preflight from any origin Access-Control-Allow-Headers',
    'CONFIG GET Cache-Control',
    'LIST GET Cache-Control',
  ])
    expect(rows).toContain(name);
});

it('compares hostnames and wrong credentials, and reports what a rate limit prevents', async () => {
  answers[`${LIST}config/`] = ({ headers }, response) => {
    const isWrong = headers.authorization !== undefined && headers.authorization !== 'Token 9f2c';
    const isOther = headers.host === 'sea.example.org';
    response.writeHead(isWrong ? 401 : 200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(isWrong ? {} : { ...record, palette_preview: [], ...(isOther && { id: 7 }) }));
  };
  answers[`${LIST}?page=2`] = text('', { 'Retry-After': '0' }, 429);
  await writeFile(path.join(site.root, 'tokens.csv'), 'user,Authorization\njo,Token 9f2c\n');
  const { code, stdout } = await compare('--sample', 'tokens.csv:1', '--hostname', 'sea.example.org');
  expect(code).toBe(1);
  expect(stdout).toMatch(/a wrong Authorization status +401 → 200/);
  expect(stdout).toMatch(/CONFIG at sea\.example\.org body +theme 7 → theme 1/);
  expect(stdout).toMatch(/LIST \?page= +still status 429 → not compared/);
  expect(stdout).toMatch(/✘ \d+ differ/);
  expect(stdout).not.toContain('9f2c');
});

it('ignores signatures of image URLs', async () => {
  let requests = 0;
  const signed = (): Record<string, unknown> => ({ ...record, home: `${url}/home?X-Amz-Signature=${++requests}` });
  answers[LIST] = (request, response) => json([signed()])(request, response);
  answers[`${LIST}config/`] = (request, response) => json({ ...signed(), palette_preview: [] })(request, response);
  const { results } = await inProcess({});
  expect(results.filter(({ ok, message }) => !ok && message.endsWith(' body'))).toEqual([]);
  expect(requests).toBeGreaterThan(10);
});

/** Compares the service with the build, without images. */
async function inProcess(
  more: Partial<CompareOptions>,
  images: readonly string[] = [],
  corsOrigins: readonly string[] = [],
): ReturnType<typeof compareServices> {
  const options = { rate: 900 };
  const old = new Service('OLD', url, options);
  const rules = { ...(await readRules(site.edgeOutDir)), corsOrigins };
  const { service, server: local } = await openNew(
    undefined,
    { out: site.outDir, edge: site.edgeOutDir },
    rules,
    options,
  );
  try {
    for (const field of Object.keys(record))
      if (/logo|icon|banner/.test(field) && !images.includes(field)) delete record[field];
    return await compareServices({ old, new: service, rules, requesters: [], ...more });
  } finally {
    old.close();
    service.close();
    local?.close();
  }
}

function differencesIn(stdout: string): CheckResult[] {
  return (JSON.parse(stdout) as Verification).checks.filter(({ status }) => status === 'failed');
}
