import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FIELDS } from '../../src/theme/fields.ts';
import { makeSite, removeSite, type SiteFolder } from '../site-folder.ts';
import { formOf, post, type PostServer, servePost, TOKEN } from './post-server.ts';

const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

let site: SiteFolder;
let server: PostServer;

beforeAll(async () => {
  site = await makeSite({
    site: { base_url: 'https://community.example.org', logo_types: ['NORMAL', 'INVERSE', 'FLAT'] },
    themes: { harbor: {}, meadow: {} },
  });
  server = await servePost(site);
});

afterAll(async () => {
  await server.close();
  await removeSite(site);
});

/** The HTML of the control with this name. */
function control(html: string, name: string): string {
  return new RegExp(`<(?:input|select|textarea)[^>]* name="${name}"[^>]*>`).exec(html)?.[0] ?? '';
}

describe('initial forms', () => {
  test('have a control for every field of a theme, and one for its folder', () => {
    const names = [...server.forms().matchAll(/ name="([a-z_]+)"/g)].map(([, name]) => name);
    expect(new Set(names)).toEqual(new Set(['token', 'slug', 'extends', ...Object.keys(FIELDS)]));
    expect(names.filter((name) => name === 'palette_preview')).toHaveLength(9);
    expect(names.filter((name) => name === 'token')).toHaveLength(1);
  });

  test('have a label and help for every control, and no duplicate id', () => {
    const html = server.forms();
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, id] of html.matchAll(/ for="([^"]+)"/g)) expect(ids).toContain(id);
    for (const [, described = ''] of html.matchAll(/ aria-describedby="([^"]+)"/g))
      for (const id of described.split(' ')) expect(ids).toContain(id);
    const labelled = [...html.matchAll(/ for="/g)].length;
    expect(labelled).toBe([...html.matchAll(/<(?:input type="(?!hidden)|select|textarea)/g)].length);
  });

  test('offer the values that the site accepts', () => {
    const html = server.forms();
    expect(control(html, 'favicon')).toContain('accept=".png,.jpg,.jpeg,.webp,.avif,.gif,.svg,.ico"');
    expect(control(html, 'logo')).not.toContain('.ico');
    expect(html.match(/<option value="FLAT">/g)).toHaveLength(4);
    expect(control(html, 'logo_height')).toContain('min="1" max="2000"');
    expect(control(html, 'logo_margin_top')).toContain('min="0" max="2000"');
    expect(html).toContain('<option value="meadow">meadow</option>');
    expect(html).not.toContain('aria-invalid');
  });
});

describe('a rejected request returns', () => {
  test('the form, with messages beside their fields', async () => {
    const colours = ['#0b5fff', '<b>', ...Array.from({ length: 7 }, () => 'navy')];
    const form = formOf({
      token: TOKEN,
      name: '"Wood" & <Heath>',
      extends: 'harbor',
      logo_height: '4000',
      palette_preview: colours,
      is_default: 'true',
    });
    const { status, text } = await post(server, form, BROWSER);
    expect(status).toBe(400);
    expect(control(text, 'name')).toContain('value="&#34;Wood&#34; &#38; &#60;Heath&#62;"');
    expect(control(text, 'logo_height')).toContain('value="4000"');
    expect(control(text, 'logo_height')).toContain(
      'aria-describedby="post-logo_height-error post-logo_height-help" aria-invalid="true"',
    );
    expect(text).toContain(
      '<p class="error" id="post-logo_height-error">The field `logo_height`'.replaceAll('`', '&#96;'),
    );
    expect(text).toContain('<option value="harbor" selected>');
    expect(control(text, 'is_default')).toContain(' checked');
    expect(text).toContain('value="&#60;b&#62;"');
    expect(text.match(/autofocus/g)).toHaveLength(1);
    expect(control(text, 'is_default')).toContain('autofocus'); // the first invalid field
    expect(text).toContain(' data-given');
    expect(text).not.toContain('value="<b>');
    expect(await readdir(site.themesDir)).toEqual(['harbor', 'meadow', 'site.yaml']);
  });

  test('messages above the form for errors without a field there', async () => {
    const { status, text } = await post(
      server,
      formOf({ token: TOKEN, name: 'Wood', extends: 'harbor', lgoo: 'a' }),
      BROWSER,
    );
    expect(status).toBe(400);
    expect(text).toMatch(
      /<div class="panel error" role="alert" tabindex="-1" autofocus>\n<ul>\n<li>lgoo: Unknown field/,
    );
    expect(text.match(/autofocus/g)).toHaveLength(1);
  });

  test('the status of the error', async () => {
    const taken = await post(server, formOf({ token: TOKEN, name: 'Harbor', extends: 'meadow' }), BROWSER);
    expect(taken.status).toBe(409);
    expect(taken.text).toContain('<p class="error" id="post-slug-error">The folder');
  });

  test('no form without the token', async () => {
    const body = new URLSearchParams({ token: 'x', name: 'Heath' });
    const response = await fetch(`${server.origin}/api/v2/theme/`, { method: 'POST', body, headers: BROWSER });
    expect(response.status).toBe(403);
    expect(await response.text()).not.toContain(TOKEN);
  });
});
