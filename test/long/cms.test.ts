import { execFile } from 'node:child_process';
import { appendFile, cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import httpServer from 'http-server';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { run } from '../command-line.ts';
import { makeSite, readTree, removeSite, type SiteFolder } from '../site-folder.ts';
import { describeInChromium, launch, openPage, type RecordedPage } from '../browser/chromium.ts';

/** Console messages of the CMS, and requests that the policy blocks: the status of GitHub. */
const EXPECTED =
  /^(?:CMS configuration:|[^]*config-basics#validation-and-autocomplete|Failed to load resource: net::ERR_FAILED|(?:Connecting to '|Fetch API cannot load )https:\/\/www\.githubstatus\.com\/)/;

const PACKAGE = path.join(import.meta.dirname, 'node_modules/@sveltia/cms');
const CORS = { 'Access-Control-Allow-Origin': '*' };

/** Hosts that the policy allows: of fonts, and of images of the site. */
const ALLOWED = /^https:\/\/(?:cdn\.jsdelivr\.net\/fontsource|images\.example\.org)\//;

/** An image set with external URLs. */
const URLS = '{original: "https://images.example.org/a.png", thumbnail: "https://images.example.org/b.png"}';

describeInChromium('the page that `themecast init --cms` writes', () => {
  let site: SiteFolder;
  let server: ReturnType<typeof httpServer.createServer>;
  let url: string;
  let browser: Browser;

  beforeAll(async () => {
    site = await makeSite();
    await promisify(execFile)('git', ['init', '--quiet', '--initial-branch=main'], { cwd: site.root });
    await promisify(execFile)('git', ['remote', 'add', 'origin', 'git@github.com:example/themes.git'], {
      cwd: site.root,
    });
    await symlink(path.join(import.meta.dirname, 'node_modules'), path.join(site.root, 'node_modules'));
    await rm(site.themesDir, { recursive: true });
    await cp(path.join(import.meta.dirname, '../../themes'), site.themesDir, { recursive: true });
    // The form omits an image set that consists of URLs.
    const [nightfall, settings] = ['nightfall/theme.yaml', 'site.yaml'].map((file) =>
      path.join(site.themesDir, file),
    ) as [string, string];
    await writeFile(nightfall, (await readFile(nightfall, 'utf8')).replace(/^logo_site: .*$/m, `logo_site: ${URLS}`));
    await rm(path.join(site.themesDir, 'nightfall/logo-site.svg'));
    await appendFile(settings, 'allowed_hosts: [images.example.org]\n');
    expect(await run(['init', '--cms', '--quiet'], { cwd: site.root })).toEqual({ code: 0, stdout: '', stderr: '' });
    server = httpServer.createServer({ root: site.root, cache: -1 });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = (server as unknown as { server: { address(): AddressInfo } }).server.address();
    url = `http://127.0.0.1:${port}`;
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
    await removeSite(site);
  });

  /** Opens a page without network access, and records requests to other origins. */
  async function open(locale: string): Promise<RecordedPage & { externalRequests: string[] }> {
    const watched = await openPage(browser, { locale, viewport: { width: 1400, height: 1000 } });
    const externalRequests: string[] = [];
    watched.page.setDefaultTimeout(120_000);
    // Requests that the policy blocks do not reach this handler.
    await watched.page.route('**/*', async (route) => {
      const target = route.request().url();
      if (target.startsWith(url) || /^(?:blob|data):/.test(target)) return route.continue();
      const [, file] =
        /^https:\/\/unpkg\.com\/@sveltia\/cms(?:@0\.221\.1)?\/(locales\/[\w-]+\.json|package\.json)$/.exec(target) ??
        [];
      if (file !== undefined) return route.fulfill({ path: path.join(PACKAGE, file), headers: CORS });
      if (!ALLOWED.test(target)) externalRequests.push(target);
      return route.abort();
    });
    return { ...watched, externalRequests };
  }

  /** Uses the CMS's own test back end, which stores files in the browser; everything else is unchanged. */
  async function useTestBackend(): Promise<void> {
    const config = path.join(site.root, 'admin/config.yml');
    const tested = (await readFile(config, 'utf8'))
      .replace(/^backend:\n(?: .*\n)+/m, 'backend:\n  name: test-repo\n')
      .replace(/^publish_mode: .*\n/m, '');
    await writeFile(config, tested);
  }

  it('has a valid configuration', async () => {
    const file = path.join(PACKAGE, 'schema/sveltia-cms.json');
    const schema = JSON.parse(await readFile(file, 'utf8')) as object;
    const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(schema);
    validate(parse(await readFile(path.join(site.root, 'admin/config.yml'), 'utf8')));
    expect(validate.errors).toBeNull();
  });

  it('saves an edited theme, and a new one with its image, so that `check` passes', { timeout: 120_000 }, async () => {
    await useTestBackend();
    const { page, pageErrors, externalRequests, close } = await open('en-US');
    await page.goto(`${url}/themes/site.yaml`);
    await storeFiles(page, await readTree(site.root));

    await page.goto(`${url}/admin/`);
    await page.getByRole('button', { name: 'Work with Test Repository' }).click();
    await page.getByText('Nightfall (nightfall)').click();
    await field(page, 'logo_margin_left').locator('input').fill('13');
    await field(page, 'logo_height').locator('input').fill('');
    await save(page);

    await page.getByRole('button', { name: 'Create New Entry' }).click();
    await field(page, 'extends').getByRole('radio', { name: 'Nightfall' }).click();
    await field(page, 'id').locator('input').fill('9');
    await field(page, 'name').locator('input').fill('Bêta Club');
    await chooseLogo(page, path.join(site.themesDir, 'meadow/logo-inverse.svg'));
    await save(page);

    for (const [file, content] of Object.entries(await storedFiles(page))) {
      await mkdir(path.dirname(path.join(site.root, file)), { recursive: true });
      await writeFile(path.join(site.root, file), Buffer.from(content, 'base64'));
    }
    const nightfall = await readFile(path.join(site.themesDir, 'nightfall/theme.yaml'), 'utf8');
    expect(nightfall).toContain('logo_margin_left: 13\n');
    expect(nightfall).not.toContain('logo_height');
    expect(nightfall).toContain('hsl(246, 50%, 13%)');
    expect(parse(nightfall)).toMatchObject({ logo_site: parse(URLS) });
    expect(await readFile(path.join(site.themesDir, 'beta-club/theme.yaml'), 'utf8')).toBe(
      'name: Bêta Club\nid: 9\nextends: nightfall\nlogo: logo-inverse.svg\nis_default: false\n',
    );
    expect(await readFile(path.join(site.themesDir, 'beta-club/logo-inverse.svg'))).toEqual(
      await readFile(path.join(site.themesDir, 'meadow/logo-inverse.svg')),
    );
    expect(await run(['check', '--quiet'], { cwd: site.root })).toMatchObject({ code: 0, stderr: '' });
    expect(violations(pageErrors)).toEqual([]);
    expect(externalRequests).toEqual([]);
    await close();
  });
});

/** Returns the violations of the content security policy; the CMS logs many other messages. */
function violations(messages: readonly string[]): string[] {
  return messages.filter((message) => message.includes('Content Security Policy') && !EXPECTED.test(message));
}

function field(page: Page, name: string) {
  return page.locator(`section[data-key-path="${name}"][role=group]`).first();
}

async function chooseLogo(page: Page, file: string): Promise<void> {
  await field(page, 'logo').getByRole('button', { name: 'Browse' }).click();
  await page.getByRole('dialog').waitFor();
  await page.locator('input[type=file]').last().setInputFiles(file);
  await page.getByRole('button', { name: 'Insert' }).click();
  await field(page, 'logo').getByText(path.basename(file)).waitFor();
}

/** Saves the entry; the CMS then returns to the list. */
async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Create New Entry' }).waitFor();
}

/** The test back end's folder in the origin private file system. */
const STORE = `(await navigator.storage.getDirectory()).getDirectoryHandle('sveltia-cms-test', { create: true })`;

async function storeFiles(page: Page, tree: ReadonlyMap<string, Buffer>): Promise<void> {
  const files = [...tree].flatMap(([file, bytes]) =>
    file.startsWith('themes/') ? [[file.split('/'), bytes.toString('base64')] as const] : [],
  );
  await page.evaluate(`(async () => {
    for (const [folders, content] of ${JSON.stringify(files)}) {
      const name = folders.pop();
      let folder = await ${STORE};
      for (const part of folders) folder = await folder.getDirectoryHandle(part, { create: true });
      const out = await (await folder.getFileHandle(name, { create: true })).createWritable();
      await out.write(Uint8Array.from(atob(content), (character) => character.charCodeAt(0)));
      await out.close();
    }
  })()`);
}

/** Returns the stored files by path, in base64. */
function storedFiles(page: Page): Promise<Record<string, string>> {
  return page.evaluate(`(async () => {
    const files = {};
    const walk = async (folder, path) => {
      for await (const [name, handle] of folder.entries()) {
        if (handle.kind === 'directory') await walk(handle, path + name + '/');
        else {
          const bytes = new Uint8Array(await (await handle.getFile()).arrayBuffer());
          files[path + name] = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
        }
      }
    };
    await walk(await ${STORE}, '');
    return files;
  })()`);
}
