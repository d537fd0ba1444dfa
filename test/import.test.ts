import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run, type Run } from './command-line.ts';
import { longTest } from './long-test.ts';
import { type Answer, bar, type FakeService, record, startFakeService } from './import/service.ts';
import { workingTree } from './site-folder.ts';

let service: FakeService;
/** The temporary folder, which contains only the repository. */
let folder: string;
let cwd: string;

beforeEach(async () => {
  service = await startFakeService();
  folder = await mkdtemp(path.join(tmpdir(), 'themecast-import-'));
  cwd = path.join(folder, 'repository');
  await mkdir(cwd);
  git('-c', 'init.defaultBranch=main', 'init', '--quiet');
});
afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

const importAll = (...flags: string[]): Promise<Run> =>
  run(['import', service.url, '--rate', '500', ...flags], { cwd });

const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd, encoding: 'utf8' });

function commit(message = 'Import'): void {
  git('add', '--all');
  git('commit', '--quiet', '--allow-empty', '--message', message);
}

const themeYaml = (slug: string): Promise<string> => readFile(path.join(cwd, `themes/${slug}/theme.yaml`), 'utf8');

describe('an import', () => {
  it('creates a repository whose build equals the service', async () => {
    service.records = [record(1), record(7, { name: 'Wald & Wiese', logo_alignment: 'justify' })];
    const { code, stdout, stderr } = await importAll();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('list      2 themes, 1 page; the default is `Theme 1` (id 1)\n');
    expect(stdout).toContain('values    logo_alignments: justify added to themes/site.yaml\n');
    expect(stdout).toContain('✔ 2 themes imported\n');
    const built = await run(['build', '--quiet', '--base-url', service.url], { cwd });
    expect(built).toEqual({ code: 0, stdout: '', stderr: '' });
    const list = JSON.parse(await readFile(path.join(cwd, 'dist/api/v2/theme/index.json'), 'utf8')) as Record<
      string,
      unknown
    >[];
    const settings = (theme: Record<string, unknown>): unknown[] =>
      ['id', 'name', 'logo_alignment', 'logo_height', 'is_default', 'palette_preview'].map((field) => theme[field]);
    expect(list.map(settings)).toEqual((service.records as Record<string, unknown>[]).map(settings));
    expect(service.requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
    expect(service.requests.filter((request) => request.includes('.svg.png'))).toEqual([]);
    const map = await readFile(path.join(cwd, 'themes/redirects.csv'), 'utf8');
    const rows = map
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((row) => row.split(','));
    expect(rows).toContainEqual(['/media/7/logo_site.svg.png', '7', 'logo_site.thumbnail']);
    expect(rows).toHaveLength(2 * (9 + 4));
    const { rules } = JSON.parse(await readFile(path.join(cwd, 'edge/rules.json'), 'utf8')) as {
      rules: { redirects: Record<string, string> };
    };
    expect(rules.redirects['/media/7/logo_site.svg.png']).toMatch(
      /^\/media\/wald-wiese\/logo-site\.[0-9a-f]{16}-thumbnail-250x250\.png$/,
    );
    expect(Object.keys(rules.redirects)).toEqual(rows.map(([from]) => from));
    for (const to of Object.values(rules.redirects))
      expect((await stat(path.join(cwd, 'dist', to))).isFile()).toBe(true);
  });

  it('is repeated while the service is edited, and Git shows the difference', { timeout: 120_000 }, async () => {
    service.records = [record(1), record(2)];
    expect((await importAll()).code).toBe(0);
    commit();
    const second = await importAll();
    expect(second.stdout).toContain('images    18 fetched, 0 not fetched\n');
    expect(second.stdout).toContain('\n✔ nothing has changed\n');
    expect(git('status', '--porcelain')).toBe('');
    // The repository renames a folder, edits a theme and adds a file; the service edits both themes.
    git('mv', 'themes/theme-1', 'themes/river');
    await writeFile(path.join(cwd, 'themes/river/logo.psd'), 'mine');
    await appendFile(path.join(cwd, 'themes/theme-2/theme.yaml'), '# mine\n');
    commit('Edits');
    service.records = [
      record(1, { name: 'There' }),
      record(2, { logo_height: 77, logo_inverse: 'URL/media/2/logo.svg' }),
    ];
    service.answers.set('/media/1/logo.svg', (_, response) => response.end(bar('#123456')));
    const { stdout } = await importAll();
    expect(stdout).toContain('0 written, 4 updated, 16 unchanged, 1 removed\n');
    expect(git('status', '--porcelain').trimEnd().split('\n')).toEqual([
      ' M themes/redirects.csv',
      ' M themes/river/logo.svg',
      ' M themes/river/theme.yaml',
      ' D themes/theme-2/logo-inverse.svg',
      ' M themes/theme-2/theme.yaml',
    ]);
    expect(git('diff')).toContain('-# mine\n');
    commit();
    service.records = [record(1, { name: 'There' })];
    expect((await importAll()).stdout).toContain('only here themes/theme-2/ (2): if the service has deleted it');
    expect(await themeYaml('theme-2')).toContain('name: Theme 2');
  });

  it('refuses uncommitted changes of the themes, also those of the time that it takes', async () => {
    service.records = [record(1)];
    await importAll();
    const file = path.join(cwd, 'themes/theme-1/theme.yaml');
    const expectRefusal = async (name: string): Promise<void> => {
      const before = await workingTree(cwd);
      const { code, stdout, stderr } = await importAll();
      expect([code, stdout, await workingTree(cwd)]).toEqual([2, '', before]);
      expect(stderr).toContain(`An import could overwrite uncommitted changes: ${name}`);
    };
    await expectRefusal('themes/redirects.csv, themes/site.');
    commit();
    const yaml = await readFile(file, 'utf8');
    await writeFile(file, `${yaml}# mine\n`);
    await expectRefusal('themes/theme-1/theme.yaml. Commit them, or undo them with `git restore` and `git clean`.');
    git('restore', '.');
    await rm(path.join(cwd, 'themes/theme-1/logo.svg'));
    await expectRefusal('themes/theme-1/logo.svg. ');
    git('restore', '.');
    await writeFile(path.join(cwd, 'notes.txt'), 'outside the themes');
    service.answers.set('/media/1/logo.svg', (_, response) => {
      void appendFile(file, '# mine\n').then(() => response.end(bar('#123456')));
    });
    const { code, stderr } = await importAll();
    expect([code, stderr]).toEqual([2, expect.stringContaining('changes: themes/theme-1/theme.yaml. ')]);
    expect(await readFile(file, 'utf8')).toBe(`${yaml}# mine\n`);
  });

  it('does not follow a committed symbolic link', async () => {
    service.records = [record(1)];
    await importAll();
    const outside = path.join(folder, 'outside.svg');
    await writeFile(outside, 'outside');
    await rm(path.join(cwd, 'themes/theme-1/logo.svg'));
    await symlink(outside, path.join(cwd, 'themes/theme-1/logo.svg'));
    commit();
    const { code, stderr } = await importAll();
    expect([code, stderr]).toEqual([2, expect.stringContaining('themes/theme-1/logo.svg is not a regular file')]);
    expect(await readFile(outside, 'utf8')).toBe('outside');
  });

  it('works without Git, but only once', async () => {
    await rm(path.join(cwd, '.git'), { recursive: true });
    service.records = [record(1)];
    expect((await importAll()).code).toBe(0);
    const { code, stderr } = await importAll();
    expect([code, stderr]).toEqual([2, expect.stringContaining('Git could not restore these')]);
  });

  it('rejects a URL that is invalid', async () => {
    const error = async (argument: string): Promise<string> => {
      const { code, stderr } = await run(['import', argument], { cwd });
      expect([code, await readdir(cwd)]).toEqual([2, ['.git']]);
      return stderr;
    };
    expect(await error('list.json')).toContain('URL must be an http or https URL');
    expect(await error('127.0.0.1:18801')).toContain('like https://community.example.org');
  });

  it('sends credentials only to the host of the list, and never prints them', async () => {
    const mediaService = await startFakeService();
    service.records = [record(1, { logo: `${mediaService.url}/media/1/logo.svg` })];
    const flags = ['--rate', '500', '--header', 'Authorization=OLD'];
    const { code, stdout, stderr } = await run(['import', service.url, ...flags], {
      cwd,
      env: { OLD: 'Token s3cret' },
    });
    expect(code).toBe(0);
    expect(service.headers.get('/media/1/favicon.svg')?.authorization).toBe('Token s3cret');
    expect(mediaService.headers.get('/media/1/logo.svg')?.authorization).toBeUndefined();
    expect(stdout + stderr).not.toContain('s3cret');
    for (const name of Object.keys(await workingTree(cwd)))
      expect(await readFile(path.join(cwd, name), 'latin1')).not.toContain('s3cret');
    await mediaService.close();
  });
});

/** Responses of a malicious or broken service, each with the expected message. */
const IMAGES: Readonly<Record<string, [answer: Answer, message: RegExp]>> = {
  'redirect-to-itself': [redirect('redirect-to-itself'), /redirects more than 3 times/],
  'redirect-with-password': [redirect('http://user:pass@127.0.0.1/'), /contains a user name or a password/],
  missing: [(_, response) => response.writeHead(404).end(), /The response is 404\./],
  forbidden: [(_, response) => response.writeHead(403).end(), /The response is 403: it needs credentials/],
  storm: [
    (_, response) => response.writeHead(429, { 'Retry-After': '0' }).end(),
    /The response is 429, after 5 requests/,
  ],
  login: [
    (_, response) => response.end('<!doctype html><title>Sign in</title>'),
    /The response is an HTML page, not an image\. If it is a login page/,
  ],
  cut: [
    (_, response) => {
      response.writeHead(200, { 'Content-Length': '1000', Connection: 'close', 'Retry-After': '0' });
      response.write('x'.repeat(100), () => response.destroy());
    },
    /The response ended after 100 of 1000 bytes/,
  ],
  bomb: [
    (_, response) => {
      response.setHeader('Content-Encoding', 'gzip');
      response.end(gzipSync(Buffer.alloc(60_000_000)));
    },
    /It is larger than 26,214,400 bytes/,
  ],
  script: [send(svg('<script>alert(1)</script>')), /\[svg\/element\]/],
  truncated: [send(Buffer.from('89504e470d0a1a0a0000000d49484452000000', 'hex')), /\[image\/corrupt\]/],
};

const FIELD_CASES: readonly [Record<string, unknown>, RegExp][] = [
  [{ logo: 'https://user:pass@127.0.0.1/x' }, /contains a user name or a password/],
  [{ name: 'A\u001b[31mB' }, /✘ Left out: `A\\u001b\[31mB` contains invisible characters\.\n {4}.*`name`/],
  [{ shoe_size: 44 }, /! Left out: The interface has no such field\.\n {4}themes\/.*`shoe_size`/],
];

describe('a hostile or broken service', () => {
  longTest(
    'prevents only the import of its broken fields, each of which is reported',
    { timeout: 120_000 },
    async () => {
      const names = Object.keys(IMAGES);
      service.records = [
        record(1),
        ...names.map((name, at) => ({ ...record(1), id: at + 2, name, logo: `URL/hostile/${name}` })),
        ...FIELD_CASES.map(([changes], at) => ({ ...record(1), id: at + 100, name: `Theme ${at + 100}`, ...changes })),
      ];
      for (const [name, [answer]] of Object.entries(IMAGES)) service.answers.set(`/hostile/${name}`, answer);
      const { code, stdout, stderr } = await importAll();
      expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
      for (const [name, [, message]] of Object.entries(IMAGES)) {
        const messages = stdout.split(/^(?=[✘!])/m).filter((text) => text.includes(`themes/${name}/theme.yaml`));
        expect([name, messages.join('')]).toEqual([name, expect.stringMatching(message)]);
        expect(await themeYaml(name)).toMatch(/^# logo: (?:not fetched|refused)/m);
        expect(await themeYaml(name)).toContain('logo_inverse: logo-inverse.svg');
      }
      for (const [, message] of FIELD_CASES) expect(stdout).toMatch(message);
      expect(service.requests.filter((request) => request.endsWith('/redirect-to-itself'))).toHaveLength(4);
      // Only the first theme and the theme with an unknown field are complete.
      expect(stdout).toContain(`✘ 2 themes imported, ${names.length + FIELD_CASES.length - 1} incomplete\n`);
      expect(stdout).not.toContain('\u001b');
      expect(await readdir(path.dirname(cwd))).toEqual([path.basename(cwd)]);
    },
  );

  it('gets no successful request twice', async () => {
    service.records = [record(1, { logo: 'URL/hostile/later' })];
    let requests = 0;
    service.answers.set('/hostile/later', (_, response) => {
      if (++requests < 3) response.writeHead(503, { 'Retry-After': '0' }).end();
      else response.end(bar('#111111'));
    });
    const { code, stdout } = await importAll();
    expect(code).toBe(0);
    expect(stdout).toContain('images    9 fetched, 0 not fetched\n');
    expect(requests).toBe(3);
  });

  it.each<[string, Answer, RegExp, string[]?]>([
    [
      'a login page',
      (_, response) => response.end('<html>Sign in</html>'),
      /returns no list of themes\. The response is an HTML page, not JSON/,
    ],
    [
      '403 for given credentials',
      (_, response) => response.writeHead(403).end(),
      /The response is 403: it needs credentials, or different ones: `--header NAME=VARIABLE`\.\n/,
      ['--header', 'Authorization=CREDENTIALS'],
    ],
  ])('is an error if it returns %s as the list, and nothing is written', async (_, answer, message, flags = []) => {
    service.answers.set('/api/v2/theme/', answer);
    const env = { CREDENTIALS: 'Token 9f2c' };
    const { code, stderr } = await run(['import', service.url, '--rate', '500', ...flags], { cwd, env });
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(await readdir(cwd)).toEqual(['.git']);
  });

  it('writes nothing if no entry of the list is a theme', async () => {
    service.records = [{ name: 'One' }, { id: 'two' }];
    const { code, stderr } = await importAll();
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(
        'has 2 entries, and none is a theme: Its id is missing, not a positive whole number. Nothing was',
      ),
    ]);
    expect(await readdir(cwd)).toEqual(['.git']);
  });

  it('rejects an empty list, and writes nothing', async () => {
    service.records = [];
    await importAll();
    expect(await readdir(cwd)).toEqual(['.git']);
    service.records = [record(1)];
    await importAll();
    commit();
    service.records = [];
    const { code, stderr } = await importAll();
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('The list is empty. Check the URL, and that the credent'),
    ]);
    expect(await themeYaml('theme-1')).toContain('name: Theme 1');
  });
});

function redirect(location: string): Answer {
  return (_, response) => response.writeHead(302, { Location: location }).end();
}

function send(body: string | Buffer): Answer {
  return (_, response) => response.end(body);
}

function svg(content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20">${content}</svg>`;
}
