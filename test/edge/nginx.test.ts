import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Diagnostics } from '../../src/diagnostics/diagnostic.ts';
import { formatParameter, negotiate } from '../../src/edge/negotiate.ts';
import { literal } from '../../src/edge/nginx/text.ts';
import { nginx } from '../../src/edge/nginx.ts';
import type { Assignment } from '../../src/mapping/assignments.ts';
import { type Capabilities, contractSuite, type Host } from './contract.ts';
import { describeRequest, send, sendAll } from './contract/send.ts';
import { NGINX, startNginx } from './nginx-process.ts';
import { type PublishedSite, publishSite, removeSite, textOf, USERS } from './site.ts';

const CAPABILITIES: Capabilities = { etagOnConfig: false, caseSensitiveKeys: false, media: true };

/** A server that has set everything it can for all of its locations, and guards some paths by regular expressions. */
const FOREIGN_SERVER = `
    include themecast/maps.conf;
    types { text/foreign json html png svg; }
    default_type text/foreign;
    server {
        listen 127.0.0.1:$PORT;
        root /nonexistent;
        add_header X-Foreign yes always;
        add_header Cache-Control foreign always;
        error_page 403 404 405 406 =200 /foreign;
        expires 1d;
        etag off;
        charset koi8-r;
        charset_types *;
        index index.json;
        autoindex on;
        location / { return 404 foreign; }
        location ~ \\.(?:json|html|png|svg)$ { return 418; }
        location ~ /config { return 418; }
        include themecast/locations.conf;
    }`;

/** What nginx could take for its own: escapes, quotes, ends of a directive, blocks, comments. */
const AWKWARD = String.raw`\t \n \\ \" "two" 'three' \; {x} } # y é`;

/** The rules, and locations that show what becomes of a request in the maps. */
const PROBES = `
    include themecast/maps.conf;
    server {
        listen 127.0.0.1:$PORT;
        include themecast/locations.conf;
        location = /negotiated { return 200 $themecast_rendering; }
        location = /user { return 200 "$themecast_user_1 $themecast_theme_1"; }
        location = /quoted { return 200 ${literal(AWKWARD)}; }
        location = /elsewhere { return 200 elsewhere; }
    }`;

const ENTRIES = [
  '*/*',
  '*/json',
  'application/*',
  'application/*;v=1',
  'application/json',
  'application/json;q=0',
  'application/json;v=1',
  'application/json ; q=1 ; v=1',
  'application/json;v',
  'application/json/x',
  'text/*',
  'Text/Html',
  'text/html;level=1',
  'text/html;level=1;q=0.5',
  'text/html; Q = 1;',
  'image/png;application/json=1',
  '',
];
const ACCEPTS = ENTRIES.flatMap((first) => [first, ...ENTRIES.map((second) => `${first}, ${second}`)]);
const QUERIES = ['', '?format=json', '?format=api&format=json', '?format=API'];

if (NGINX === undefined) {
  const reason = 'nginx is not installed, so its rules are not tested against it.';
  // On a developer's machine a visible gap; where changes are judged, a failure.
  it.skipIf(process.env['CI'] === undefined)(reason, () => expect.fail(reason));
  if (process.env['CI'] === undefined) process.stderr.write(`${reason}\n`);
} else {
  contractSuite('nginx, a server of its own', (site) => startNginx(site), CAPABILITIES);
  contractSuite('nginx, a server that does other things too', (site) => startNginx(site, FOREIGN_SERVER), CAPABILITIES);

  it('takes the longest settings without a warning', async () => {
    const rule = {
      user: { header: `X-${'a'.repeat(62)}`, trusted_proxies: ['10.0.0.0/8', '2001:db8::/32', '127.0.0.1'] },
    };
    const site = await publishSite({
      base_url: 'http://[::1]:8080/a/b',
      identity: [...Array.from({ length: 7 }, () => rule), { user: { cookie: 'c'.repeat(64) } }],
      cors: { allowed_origins: Array.from({ length: 50 }, (_, index) => `https://app-${index}.example.org:8443`) },
    });
    const host = await startNginx(site);
    const { status } = await send(host.port, { path: '/a/b/api/v2/theme/config/' });
    await host.stop();
    await removeSite(site);
    expect(status).toBe(200);
  });

  describe('nginx', () => {
    let site: PublishedSite;
    let host: Host;
    beforeAll(async () => {
      site = await publishSite();
      host = await startNginx(site, PROBES);
    });
    afterAll(async () => {
      await host.stop();
      await removeSite(site);
    });

    it('negotiates exactly as the handler does', async () => {
      const requests = ACCEPTS.flatMap((accept) =>
        QUERIES.map((query) => ({ path: `/negotiated${query}`, headers: { Accept: accept } })),
      );
      const answers = await sendAll(host.port, requests);
      const words = { json: 'json', html: 'html', not_found: '404', not_acceptable: '406' };
      for (const [index, { body }] of answers.entries()) {
        const request = requests[index] ?? { path: '', headers: { Accept: '' } };
        const { search } = new URL(request.path, 'http://host.invalid');
        expect(body, describeRequest(request)).toBe(words[negotiate(formatParameter(search), request.headers.Accept)]);
      }
    });

    it('looks up every key as it is written', async () => {
      for (const user of Object.keys(USERS)) {
        expect((await send(host.port, { path: '/user', headers: { Cookie: `uid=${user}` } })).body).toBe(
          `${user} ${USERS[user]}`,
        );
      }
    });

    it('takes quoted text for what it is', async () => {
      expect((await send(host.port, { path: '/quoted' })).body).toBe(AWKWARD);
    });

    it('leaves the rest of a server alone', async () => {
      const answer = await send(host.port, { path: '/elsewhere' });
      expect(answer).toMatchObject({ status: 200, body: 'elsewhere' });
      expect(Object.keys(answer.headers).toSorted()).toEqual([
        'connection',
        'content-length',
        'content-type',
        'date',
        'server',
      ]);
    });

    it('gives the default theme while a theme of the rules is gone', async () => {
      await rm(path.join(site.dist, 'api/v2/theme/config/nightfall.json'));
      const { status, body } = await send(host.port, {
        path: '/api/v2/theme/config/',
        headers: { Cookie: 'uid=nancy' },
      });
      expect({ status, body }).toEqual({ status: 200, body: textOf(site, 'api/v2/theme/config/harbor.json') });
    });
  });
}

describe('the nginx adapter', () => {
  const location = { file: 'themes/users.csv', start: { line: 2, column: 1 } };
  const assigned = (user: string) => ({ user, theme: 'meadow', location, themeLocation: location });
  let site: PublishedSite;
  beforeAll(async () => {
    site = await publishSite();
  });
  afterAll(() => removeSite(site));

  it('reports keys that differ only by case, and names the place, not the key', () => {
    const diagnostics = new Diagnostics();
    nginx.files(site.rules, ['Tom', 'nancy', 'tom'].map(assigned), diagnostics.report);
    expect(diagnostics.sorted.map(({ code }) => code)).toEqual(['edge/case-collision']);
    expect(diagnostics.sorted[0]?.message).toContain('themes/users.csv:2');
    expect(diagnostics.sorted[0]?.message).not.toMatch(/tom/i);
  });

  it('reports more users than a map can hold', () => {
    const diagnostics = new Diagnostics();
    const users = Array.from({ length: 3_000_001 }).fill(assigned('tom')) as Assignment[];
    expect(nginx.files(site.rules, users, diagnostics.report)).toEqual([]);
    expect(diagnostics.sorted.map(({ code }) => code)).toEqual(['edge/too-many-users']);
  });

  it('writes the same files for the same rules', () => {
    const report = new Diagnostics().report;
    expect(nginx.files(site.rules, site.assignments, report)).toEqual(
      nginx.files(site.rules, site.assignments, report),
    );
  });

  it.each(['$document_root', 'a\nb', '\0', 'x'.repeat(4001)])(
    'refuses to write what nginx cannot be told: %j',
    (text) => {
      expect(() => literal(text)).toThrow('nginx cannot be told');
    },
  );
});
