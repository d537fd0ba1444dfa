import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { check, type Code, type Diagnostic } from '../src/index.ts';
import { run } from './command-line.ts';
import { copyFixture, fixtureNames } from './fixture.ts';

let cacheDir = '';
let folder = '';

beforeAll(async () => {
  cacheDir = await mkdtemp(path.join(tmpdir(), 'themecast-cache-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});
afterAll(() => rm(cacheDir, { recursive: true, force: true }));

async function diagnosticsOf(themesDir: string): Promise<readonly Diagnostic[]> {
  return (await check({ themesDir, cacheDir })).diagnostics;
}

/** A literal remedy in a hint: text to replace the marked text or the line with, or another file name. */
type Remedy = { instead: string } | { line: string } | { from: string; to: string };

function remedyOf({ hint = '' }: Diagnostic): Remedy | undefined {
  const [, from, to] = /^Rename `([^`]+)` to `([^`]+)`\.$/.exec(hint) ?? [];
  if (from !== undefined && to !== undefined) return { from, to };
  const quoted = /(?:in quotes: |straight quotes: |mean )("[^"]*"|'[^']*')\??$/.exec(hint)?.[1];
  if (quoted !== undefined) return { instead: quoted };
  const meant = /^Did you mean `([^`]+)`\?$/.exec(hint)?.[1];
  if (meant !== undefined) return { instead: meant };
  const written = /^Write `([^`…]+)`(?:\.$|, with |: most )/.exec(hint)?.[1];
  if (written === undefined) return undefined;
  return /^[\w-]+: |^- /.test(written) ? { line: written } : { instead: written };
}

/** Applies hints, from the end of each file to its start. @returns the applied remedies, by diagnostic */
async function follow(diagnostics: readonly Diagnostic[]): Promise<Diagnostic[]> {
  const followed: Diagnostic[] = [];
  for (const diagnostic of diagnostics.toReversed()) {
    const remedy = remedyOf(diagnostic);
    const { file, start, end } = diagnostic.location;
    if (remedy === undefined) continue;
    const name = path.join(folder, file);
    if ('from' in remedy) {
      const inside = existsSync(path.join(name, remedy.from)) ? name : path.dirname(name);
      await rename(path.join(inside, remedy.from), path.join(inside, remedy.to));
    } else if (start === undefined || end === undefined) continue;
    else {
      const lines = (await readFile(name, 'utf8')).split('\n');
      const line = lines[start.line - 1] ?? '';
      const indent = /^\s*/.exec(line)?.[0] ?? '';
      // A marked character may be only the start of the value.
      const to = start.line === end.line && end.column - start.column > 1 ? end.column - 1 : line.length;
      const marked = line.slice(start.column - 1, to);
      const done =
        'line' in remedy ? indent + remedy.line : line.slice(0, start.column - 1) + remedy.instead + line.slice(to);
      expect([diagnostic.code, diagnostic.hint, 'line' in remedy ? remedy.line : remedy.instead]).not.toEqual([
        diagnostic.code,
        diagnostic.hint,
        'line' in remedy ? line.trim() : marked,
      ]);
      lines.splice(start.line - 1, end.line - start.line + 1, done);
      await writeFile(name, lines.join('\n'));
    }
    followed.push(diagnostic);
  }
  return followed;
}

describe('a hint with a remedy', () => {
  it('helps, in every fixture', { timeout: 120_000 }, async () => {
    const codes = new Set<Code>();
    for (const name of await fixtureNames('invalid')) {
      const copied = await copyFixture('invalid', name);
      ({ folder } = copied);
      vi.spyOn(process, 'cwd').mockReturnValue(folder);
      const followed = await follow(await diagnosticsOf(copied.themesDir));
      const left = followed.length === 0 ? [] : await diagnosticsOf(copied.themesDir);
      const at = ({ code, message, location: { file, start } }: Diagnostic): string =>
        [code, file, start?.line, message].join(' ');
      const obsolete = new Set(followed.map(at));
      expect([name, left.filter((one) => obsolete.has(at(one))).map(({ message, hint }) => [message, hint])]).toEqual([
        name,
        [],
      ]);
      for (const { code } of followed) codes.add(code);
      await rm(folder, { recursive: true, force: true });
    }
    expect(codes.size).toBeGreaterThan(20);
  });
});

interface Case {
  /** Makes the mistake, in `meadow/` or beside it. */
  mistake: (themesDir: string) => Promise<unknown>;
  code: Code;
  hint: RegExp;
  remedy: (themesDir: string) => Promise<unknown>;
}

const put =
  (file: string, content: string | Buffer) =>
  (themesDir: string): Promise<unknown> =>
    mkdir(path.dirname(path.join(themesDir, file)), { recursive: true }).then(() =>
      writeFile(path.join(themesDir, file), content),
    );
const without =
  (file: string) =>
  (themesDir: string): Promise<unknown> =>
    rm(path.join(themesDir, file), { recursive: true });
const edit =
  (file: string, from: string | RegExp, to: string) =>
  async (themesDir: string): Promise<unknown> =>
    writeFile(path.join(themesDir, file), (await readFile(path.join(themesDir, file), 'utf8')).replace(from, to));
const both =
  (...steps: ((themesDir: string) => Promise<unknown>)[]) =>
  async (themesDir: string): Promise<void> => {
    for (const step of steps) await step(themesDir);
  };
const logo = (content: string | Buffer): Case['mistake'] => put('meadow/logo.svg', content);
const drawn = (themesDir: string): Promise<unknown> =>
  copyFile(path.join(themesDir, 'harbor/logo.svg'), path.join(themesDir, 'meadow/logo.svg'));
const theme = 'meadow/theme.yaml';
const svg = (attributes: string, content = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}><rect width="90" height="30" fill="#123456"/>${content}</svg>`;
const HEIC = Buffer.concat([Buffer.from('\0\0\0\u0018ftypheic\0\0\0\0mif1heic', 'latin1'), Buffer.alloc(300, 1)]);
const ROWS = 'user,theme\nann,meadow\n';

const CASES: Readonly<Record<string, Case>> = {
  ...Object.fromEntries(
    Object.entries({
      HEIC,
      EPS: '%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n',
      Illustrator: '%PDF-1.5\n%\u00e2\n',
      'JPEG XL': Buffer.from('ff0a0303030303', 'hex'),
      Photoshop: '8BPS\0\u0001\0\0\0',
    }).map(([name, bytes]): [string, Case] => [
      `${name} called logo.svg`,
      {
        mistake: logo(bytes),
        code: 'image/format',
        hint: /^Export the image in one of these formats\.$/,
        remedy: drawn,
      },
    ]),
  ),
  'an image of another format beside the right one': {
    mistake: both(put('meadow/logo.heic', HEIC), edit(theme, 'logo: logo.svg', 'logo: logo.heic')),
    code: 'image/format',
    hint: /^Write `logo\.svg`, the file beside it\.$/,
    remedy: both(edit(theme, 'logo: logo.heic', 'logo: logo.svg'), without('meadow/logo.heic')),
  },
  'a link that Git wrote as text': {
    mistake: logo('../harbor/logo.svg'),
    code: 'image/format',
    hint: /^Put a copy of the image here: links are not followed\.$/,
    remedy: drawn,
  },
  'an equals sign': {
    mistake: edit(theme, 'logo: ', 'logo = '),
    code: 'yaml/colon',
    hint: /^Write `logo: logo\.svg`/,
    remedy: edit(theme, 'logo = ', 'logo: '),
  },
  'a comment of another language': {
    mistake: edit(theme, 'logo: ', '// Ours.\nlogo: '),
    code: 'yaml/colon',
    hint: /`#` and a space/,
    remedy: edit(theme, '// ', '# '),
  },
  'a bracket at the start of a line': {
    mistake: edit(
      'harbor/theme.yaml',
      /palette_preview:(?: \[|\n)[^]*?(?=\n\w|$)/,
      `palette_preview:\n[${'navy,'.repeat(8)}red]`,
    ),
    code: 'yaml/indentation',
    hint: /indent nested lines by two spaces/,
    remedy: edit('harbor/theme.yaml', '\n[', '\n  ['),
  },
  'a full-width colon': {
    mistake: edit(theme, 'name: ', 'name：'),
    code: 'yaml/look-alike',
    hint: /^Write `:` instead, and a space after it\.$/,
    remedy: edit(theme, 'name：', 'name: '),
  },
  'a no-break space': {
    mistake: edit(theme, 'logo: ', 'logo: \u00a0'),
    code: 'yaml/look-alike',
    hint: /^Replace it with a space of the space bar\.$/,
    remedy: edit(theme, '\u00a0', ' '),
  },
  'a swallowed number': {
    mistake: edit(theme, 'name: Meadow', 'name: Meadow #1'),
    code: 'yaml/comment',
    hint: /put all of it in quotes: "Meadow #1"/,
    remedy: edit(theme, 'Meadow #1', '"Meadow #1"'),
  },
  'a comment without a space': {
    mistake: edit(theme, 'name: Meadow', 'name: Meadow #ours'),
    code: 'yaml/comment',
    hint: /write a space after the `#`\.$/,
    remedy: edit(theme, '#ours', '# ours'),
  },
  'an empty site.yaml': {
    mistake: put('site.yaml', ''),
    code: 'yaml/empty',
    hint: /like `base_url: https:\/\/community\.example\.org`\.$/,
    remedy: put('site.yaml', 'base_url: https://community.example.org\n'),
  },
  'colours without a hash': {
    mistake: edit(
      'harbor/theme.yaml',
      /palette_preview:(?: \[|\n)[^]*?(?=\n\w|$)/,
      `palette_preview: [001122, ${'navy, '.repeat(7)}red]`,
    ),
    code: 'yaml/number-format',
    hint: /^Write a colour with `#` and in quotes: "#001122"$/,
    remedy: edit('harbor/theme.yaml', '001122', '"#001122"'),
  },
  'viewbox in lower case': {
    mistake: logo(svg('viewbox="0 0 90 30"')),
    code: 'svg/attribute',
    hint: /^Write `viewBox`: in SVG files, upper and lower case matter\.$/,
    remedy: logo(svg('viewBox="0 0 90 30"')),
  },
  'a width that is none': {
    mistake: logo(svg('viewBox="0 0 90 30" width="auto"')),
    code: 'svg/dimensions',
    hint: /^Delete the attribute: `viewBox` says how large the image is\.$/,
    remedy: logo(svg('viewBox="0 0 90 30"')),
  },
  'a width that is none, without a viewBox': {
    mistake: logo(svg('width="auto" height="30"')),
    code: 'svg/dimensions',
    hint: /^Write the size in pixels, as a number alone\.$/,
    remedy: logo(svg('width="90" height="30"')),
  },
  'a blur of Figma': {
    mistake: logo(svg('viewBox="0 0 90 30"', '<foreignObject x="0" y="0" width="9" height="9"/>')),
    code: 'svg/element',
    hint: /In Figma, replace background blurs and angular or diamond gradients by plain fills/,
    remedy: logo(svg('viewBox="0 0 90 30"')),
  },
  'a workbook beside users.csv': {
    mistake: both(put('users.csv', ROWS), put('users.xlsx', 'PK\u0003\u0004')),
    code: 'theme/unexpected-file',
    hint: /^Move it out of the themes folder, or delete it: `users\.csv` is the file that is read\.$/,
    remedy: without('users.xlsx'),
  },
  'a workbook alone': {
    mistake: put('users.xlsx', 'PK\u0003\u0004'),
    code: 'theme/unexpected-file',
    hint: /^Save it as CSV \(in Excel: “CSV UTF-8”\), as `users\.csv`, and delete this file\.$/,
    remedy: both(put('users.csv', ROWS), without('users.xlsx')),
  },
  'an old copy of users.csv': {
    mistake: both(put('users.csv', ROWS), put('users-old.csv', ROWS)),
    code: 'theme/unexpected-file',
    hint: /^Move it out of the themes folder/,
    remedy: without('users-old.csv'),
  },
  'a theme one level too deep': {
    mistake: (themesDir) =>
      mkdir(path.join(themesDir, 'more')).then(() =>
        rename(path.join(themesDir, 'meadow'), path.join(themesDir, 'more/meadow')),
      ),
    code: 'theme/file-missing',
    hint: /^Move `more\/meadow` up: theme folders are directly in the themes folder\.$/,
    remedy: (themesDir) =>
      rename(path.join(themesDir, 'more/meadow'), path.join(themesDir, 'meadow')).then(() =>
        without('more')(themesDir),
      ),
  },
  'a file of the Windows editor': {
    mistake: (themesDir) => rename(path.join(themesDir, theme), path.join(themesDir, `${theme}.txt`)),
    code: 'theme/file-missing',
    hint: /^Rename `theme\.yaml\.txt` to `theme\.yaml`\.$/,
    remedy: (themesDir) => rename(path.join(themesDir, `${theme}.txt`), path.join(themesDir, theme)),
  },
  'a key with a space': {
    mistake: put('users.csv', 'user,theme\nann ,meadow\n'),
    code: 'mapping/user-key',
    hint: /^Delete the space before or after the key\.$/,
    remedy: put('users.csv', ROWS),
  },
  'a percent-encoded key': {
    mistake: put('users.csv', 'user,theme\nann%40example.org,meadow\n'),
    code: 'mapping/user-key',
    hint: /like `@` instead of `%40`: cookies are decoded\.$/,
    remedy: put('users.csv', 'user,theme\nann@example.org,meadow\n'),
  },
  'a space after the comma': {
    mistake: put('users.csv', 'user,theme\nann, meadow\n'),
    code: 'mapping/unknown-theme',
    hint: /^Delete the space\.$/,
    remedy: put('users.csv', ROWS),
  },
  'an id that no theme has': {
    mistake: put('users.csv', 'user,theme_id\nann,9\n'),
    code: 'mapping/unknown-theme',
    hint: /^Write the `id` from the theme\.yaml of a theme\.$/,
    remedy: put('users.csv', 'user,theme_id\nann,2\n'),
  },
  'a folder name in a column of ids': {
    mistake: put('users.csv', 'user,theme_id\nann,meadow\n'),
    code: 'mapping/unknown-theme',
    hint: /for folder names, call the column `theme`\.$/,
    remedy: put('users.csv', ROWS),
  },
  'commas below a header with semicolons': {
    mistake: put('users.csv', 'user;theme\nann,meadow\n'),
    code: 'mapping/columns',
    hint: /^Write a semicolon between the key and the theme, as in the first line\.$/,
    remedy: put('users.csv', 'user;theme\nann;meadow\n'),
  },
};

describe('the remedy of a hint', () => {
  it.each(Object.entries(CASES))('works for %s', async (_, { mistake, code, hint, remedy }) => {
    const { folder: copied, themesDir } = await copyFixture('valid', 'none');
    folder = copied;
    vi.spyOn(process, 'cwd').mockReturnValue(folder);
    expect(await diagnosticsOf(themesDir)).toEqual([]);
    await mistake(themesDir);
    const diagnostics = await diagnosticsOf(themesDir);
    expect(diagnostics.map((one) => one.code)).toContain(code);
    expect(diagnostics.find((one) => one.code === code)?.hint).toMatch(hint);
    await remedy(themesDir);
    expect(await diagnosticsOf(themesDir)).toEqual([]);
  });
});

describe('in a checkout', () => {
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a', '-c', 'protocol.file.allow=always', ...args], {
      cwd: folder,
      stdio: 'pipe',
    });

  it('names a theme outside a sparse checkout, and how to check it out', async () => {
    const { folder: copied, themesDir } = await copyFixture('valid', 'none');
    folder = copied;
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Themes');
    git('sparse-checkout', 'set', '--no-cone', '/*', '!/themes/meadow/');
    expect(existsSync(path.join(themesDir, 'meadow'))).toBe(false);
    expect(await diagnosticsOf(themesDir)).toMatchObject([
      { code: 'theme/not-checked-out', hint: expect.stringContaining('`git sparse-checkout disable`') as string },
    ]);
    git('sparse-checkout', 'disable');
    expect(await diagnosticsOf(themesDir)).toEqual([]);
  });

  it('names the next command in diff and deploy', async () => {
    const { folder: copied, themesDir } = await copyFixture('valid', 'none');
    folder = copied;
    const say = async (...args: string[]): Promise<string> => (await run(args, { cwd: folder })).stderr;
    await appendFile(path.join(themesDir, 'site.yaml'), 'edge: [nginx]\n');
    expect((await run(['build', '--quiet'], { cwd: folder })).code).toBe(0);
    expect(await say('deploy')).toContain('Commit the themes (`git init && git add --all && git commit -m Themes`)');
    git('init', '--quiet');
    expect(await say('deploy', 'apache')).toContain('To deploy to `apache`, add it to `edge` in site.yaml');
    for (const base of [[], ['HEAD~1']])
      expect(await say('diff', ...base)).toContain('Commit the themes (`git add --all && git commit -m Themes`)');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Themes');
    expect(await say('diff', 'nowhere')).toContain('There is no revision "nowhere"');
    const { stderr } = await run(['diff', 'HEAD'], { cwd: folder, env: { PATH: folder } });
    expect(stderr).toContain('Git is not installed here, and themes is compared by its commits.');
    expect(await say('who', 'müller')).toContain('Write the key that requests carry');
  });

  it('compares a checkout with the line ends of Windows', async () => {
    const { folder: copied, themesDir } = await copyFixture('valid', 'none');
    folder = copied;
    const image = path.join(themesDir, 'meadow/logo.svg');
    await writeFile(image, svg('viewBox="0 0 90 30"', '\n'));
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Themes');
    await writeFile(image, svg('viewBox="0 0 90 30"', '\r\n'));
    const { code, stdout } = await run(['diff', 'HEAD'], { cwd: folder });
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('re-encoded')]);
    expect(stdout).not.toContain('logo');
  });

  it('names the images that Git LFS has, and reads them once they are fetched', async () => {
    const { folder: copied, themesDir } = await copyFixture('valid', 'none');
    folder = copied;
    const image = path.join(themesDir, 'meadow/logo.svg');
    const before = await readFile(image);
    const oid = createHash('sha256').update(before).digest('hex');
    await writeFile(image, `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${before.length}\n`);
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Themes');
    await writeFile(image, svg('viewBox="0 0 90 30"'));
    const diff = async (): Promise<string> => (await run(['diff', 'HEAD'], { cwd: folder })).stdout;
    expect(await diff()).toMatch(/1 image of \w+@\w{7} is only in Git LFS: run `git lfs fetch origin \w{7}`/);
    // A pointer file of Git LFS.
    const objects = path.join(folder, '.git/lfs/objects', oid.slice(0, 2), oid.slice(2, 4));
    await mkdir(objects, { recursive: true });
    await writeFile(path.join(objects, oid), before);
    const compared = await diff();
    expect(compared).not.toContain('LFS');
    expect(compared).toContain('logo');
  });

  it('warns of an output that a web server cannot read', async () => {
    ({ folder } = await copyFixture('valid', 'none'));
    const build = 'umask 077; exec "$0" "$1" build';
    const cli = path.join(import.meta.dirname, '../lib/cli.js');
    const text = execFileSync('sh', ['-c', build, process.execPath, cli], { cwd: folder, encoding: 'utf8' });
    expect(text).toContain('! Only you can read dist/, so a web server cannot: run `chmod -R a+rX dist`');
    execFileSync('chmod', ['-R', 'a+rX', 'dist'], { cwd: folder });
    expect((await run(['build'], { cwd: folder })).stdout).not.toContain('Only you');
  });

  it('names a submodule that was not fetched, and how to fetch it', async () => {
    const { folder: themes, themesDir: own } = await copyFixture('valid', 'none');
    folder = own;
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Themes');
    folder = themes;
    await mkdir(path.join(themes, 'site'));
    folder = path.join(themes, 'site');
    git('init', '--quiet');
    git('submodule', '--quiet', 'add', own, 'themes');
    git('submodule', '--quiet', 'deinit', '--force', 'themes');
    expect(await diagnosticsOf(path.join(folder, 'themes'))).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({
          code: 'theme/not-checked-out',
          hint: expect.stringContaining('`git submodule update --init`') as string,
        }),
      ]) as object,
    );
    git('submodule', '--quiet', 'update', '--init');
    expect(await diagnosticsOf(path.join(folder, 'themes'))).toEqual([]);
    folder = themes;
  });
});
