import { execFile } from 'node:child_process';
import { appendFile, cp, readFile, rm, symlink } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import httpServer from 'http-server';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { run } from '../command-line.ts';
import { makeSite, removeSite, type SiteFolder } from '../site-folder.ts';
import { describeInChromium, launch, openPage, type RecordedPage } from '../browser/chromium.ts';

/** Console messages of the CMS, and requests that the policy blocks: the status of GitHub. */
const EXPECTED =
  /^(?:CMS configuration:|[^]*config-basics#validation-and-autocomplete|Failed to load resource: net::ERR_FAILED|(?:Connecting to '|Fetch API cannot load )https:\/\/www\.githubstatus\.com\/)/;

const PACKAGE = path.join(import.meta.dirname, 'node_modules/@sveltia/cms');
const CORS = { 'Access-Control-Allow-Origin': '*' };

/** Hosts that the policy allows: of fonts, and of images of the site. */
const ALLOWED = /^https:\/\/(?:cdn\.jsdelivr\.net\/fontsource|images\.example\.org)\//;

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
    await appendFile(path.join(site.themesDir, 'site.yaml'), 'allowed_hosts: [images.example.org]\n');
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

  it('has a valid configuration', async () => {
    const file = path.join(PACKAGE, 'schema/sveltia-cms.json');
    const schema = JSON.parse(await readFile(file, 'utf8')) as object;
    const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(schema);
    validate(parse(await readFile(path.join(site.root, 'admin/config.yml'), 'utf8')));
    expect(validate.errors).toBeNull();
  });

  it('starts within the policy of its page', async () => {
    const { page, pageErrors, externalRequests, close } = await open('en-US');
    await page.goto(`${url}/admin/`);
    await page.getByRole('button', { name: 'Sign In Using Access Token' }).waitFor();
    expect(violations(pageErrors)).toEqual([]);
    expect(externalRequests).toEqual([]);
    await close();
  });
});

/** Returns the violations of the content security policy; the CMS logs many other messages. */
function violations(messages: readonly string[]): string[] {
  return messages.filter((message) => message.includes('Content Security Policy') && !EXPECTED.test(message));
}
