import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from './command-line.ts';
import { makeSite, removeSite, type SiteFolder } from './site-folder.ts';

/** A wide logo in two colours on a transparent background. */
const LOGO = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="100"><rect width="300" height="100" fill="#0b3954"/><circle cx="350" cy="50" r="40" fill="#c9573b"/></svg>',
);

let site: SiteFolder;
let logos: string;

beforeEach(async () => {
  site = await makeSite({ themes: { harbor: { fields: { id: 41 } } } });
  logos = await mkdtemp(path.join(tmpdir(), 'themecast-logo-'));
  await writeFile(path.join(logos, 'logo.svg'), LOGO);
  await writeFile(path.join(logos, 'logo.png'), await sharp(LOGO).png().toBuffer());
  await writeFile(path.join(logos, 'cut.png'), (await sharp(LOGO).png().toBuffer()).subarray(0, 300));
  await writeFile(path.join(logos, 'script.svg'), LOGO.toString().replace('<rect', '<script>x</script><rect'));
});
afterEach(async () => {
  await removeSite(site);
  await rm(logos, { recursive: true });
});

const filesOf = async (slug: string): Promise<string[]> => (await readdir(path.join(site.themesDir, slug))).toSorted();

describe('new', () => {
  it('creates a theme from a logo and a colour, which builds without errors', async () => {
    const result = await run(['new', 'Aurora Club', '--logo', path.join(logos, 'logo.svg'), '--colour', '#0b5fff'], {
      cwd: site.root,
    });
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.stdout).toContain('✔ themes/aurora-club/ created: theme.yaml and 7 images\n');
    expect(result.stdout).toContain('To replace: 5 placeholders, logo-inverse.svg, ');
    const yaml = await readFile(path.join(site.themesDir, 'aurora-club/theme.yaml'), 'utf8');
    expect(yaml).toContain('id: 42\nname: Aurora Club\n');
    expect(yaml).toContain('  - "#0b5fff"\n');
    const built = await run(['build', '--quiet'], { cwd: site.root });
    expect(built.code).toBe(0);
    expect(built.stdout.match(/\[image\/placeholder\]/g)).toHaveLength(1);
    expect(built.stdout).toContain('The images of `logo_inverse`, `compact_logo_inverse`, `default_group_banner`, ');
    // From memory: in a process that has drawn images, sharp opens no files.
    const favicon = await sharp(await readFile(path.join(site.themesDir, 'aurora-club/favicon.png'))).metadata();
    expect(favicon).toMatchObject({ width: 192, height: 192, hasAlpha: true });
  });

  it.each(['logo.svg', 'logo.png'])('derives the palette from %s', async (name) => {
    await run(['new', 'Beta', '--logo', path.join(logos, name)], { cwd: site.root });
    const yaml = await readFile(path.join(site.themesDir, 'beta/theme.yaml'), 'utf8');
    expect(yaml).toContain('palette_preview:\n  - "#0b3954"\n  - "#c9573b"\n');
    expect(await filesOf('beta')).toContain(name);
  });

  it('extends another theme without adding images', async () => {
    const { code, stdout } = await run(['new', 'Gamma', '--from', 'harbor', '--slug', 'third'], { cwd: site.root });
    expect(code).toBe(0);
    expect(stdout).toContain('✔ themes/third/ created: theme.yaml\n');
    expect(await filesOf('third')).toEqual(['theme.yaml']);
    expect((await run(['check', '--strict', '--quiet'], { cwd: site.root })).stdout).toBe('');
  });

  it('creates the default theme if there is none', async () => {
    await rm(path.join(site.themesDir, 'harbor'), { recursive: true });
    await run(['new', 'First'], { cwd: site.root });
    const yaml = await readFile(path.join(site.themesDir, 'first/theme.yaml'), 'utf8');
    expect(yaml).toContain('id: 1\nname: First\nis_default: true\n');
  });

  it.each([
    [['Harbor'], 'There is a theme `harbor` already.'],
    [['日本'], '`日本` has no letter that a folder name may have. Name the folder: --slug SLUG.'],
    [['x', '--slug', 'Not Good'], '`Not Good` cannot be the folder name'],
    [['x', '--slug', '../up'], '`../up` cannot be the folder name'],
    [['users'], '`users` cannot be the folder name'],
    [['x', '--from', 'harbour'], '--from: there is no theme `harbour`. Did you mean `harbor`?'],
    [['x', '--colour', 'bleu'], '--colour `bleu` is not an opaque CSS colour.'],
    [['x', '--logo', 'gone.svg'], 'There is no file `gone.svg`.'],
    [['a\nb'], 'The name of a theme is one line'],
    [[], '`new` takes one NAME'],
  ])('rejects %j', async (args, message) => {
    const { code, stderr, stdout } = await run(['new', ...args], { cwd: site.root });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect((await readdir(site.themesDir)).toSorted()).toEqual(['harbor', 'site.yaml']);
  });

  it.each([
    ['cut.png', 'image/corrupt'],
    ['script.svg', 'svg/'],
  ])('reports why the logo %s is invalid, and creates nothing', async (name, diagnostic) => {
    const { code, stdout } = await run(['new', 'Delta', '--logo', path.join(logos, name)], { cwd: site.root });
    expect(code).toBe(1);
    expect(stdout).toContain(`[${diagnostic}`);
    expect(stdout).toContain('✘ This logo cannot be used, so nothing was created.\n');
    expect((await readdir(site.themesDir)).toSorted()).toEqual(['harbor', 'site.yaml']);
  });

  it('explains a missing colour, which a shell reads as a comment unless it is quoted', async () => {
    expect((await run(['new', 'X', '--colour'], { cwd: site.root })).stderr).toContain(
      'put the colour in quotes, like "#0b5fff"',
    );
  });

  it('suggests init if there is no site', async () => {
    const { code, stdout } = await run(['new', 'Aurora'], { cwd: logos });
    expect(code).toBe(1);
    expect(stdout).toContain('`themecast init`');
  });
});

describe('init --schemas', () => {
  it('writes schemas with the values of the site, and check warns when they are out of date', async () => {
    const siteFile = path.join(site.themesDir, 'site.yaml');
    const schemaFile = path.join(site.themesDir, 'theme.schema.json');
    expect((await run(['init', '--schemas'], { cwd: site.root })).stdout).toContain(
      '✔ Written: themes/theme.schema.json, ',
    );
    expect((await run(['init', '--schemas'], { cwd: site.root })).stdout).toBe('✔ The schemas are up to date\n');
    expect((await run(['check', '--quiet'], { cwd: site.root })).stdout).toBe('');
    await writeFile(siteFile, `${await readFile(siteFile, 'utf8')}logo_alignments: [left, end]\n`);
    const { stdout } = await run(['check', '--quiet'], { cwd: site.root });
    expect(stdout).toContain('themes/theme.schema.json  warning');
    expect(stdout).toContain('[schema/stale]');
    await run(['init', '--schemas'], { cwd: site.root });
    const written = JSON.parse(await readFile(schemaFile, 'utf8')) as {
      properties: Record<string, Record<string, unknown>>;
    };
    expect(written.properties['logo_alignment']).toMatchObject({
      enum: ['left', 'center', 'right', 'end'],
      default: 'left',
    });
    expect((await run(['check', '--quiet'], { cwd: site.root })).stdout).toBe('');
  });
});
