import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { staticFiles } from '../../src/hosts/static/index.ts';
import { ENDPOINTS, type EndpointKind, expectedOf, type Running } from './contract/expected.ts';
import { fileHeaders } from './contract/files.ts';
import { install } from './install.ts';
import { FILES, MEDIA, publishSite, removeSite } from './site.ts';

interface FirebaseConfig {
  hosting: {
    rewrites: { source: string; destination: string }[];
    headers: { source: string; headers: { key: string; value: string }[] }[];
  };
}
interface StaticWebAppConfig {
  routes: { route: string; rewrite?: string; headers: Record<string, string> }[];
  mimeTypes: Record<string, string>;
}

/** Of these hosts only the form of their files is tested: nothing here runs them. */
describe.each([
  ['at the root', ''],
  ['below a path', '/my.community'],
])('the files for hosts of static files, %s', (_, base) => {
  let running: Running;
  let files: ReadonlyMap<string, string>;
  beforeAll(async () => {
    const site = await publishSite({ base_url: `https://example.org${base}` });
    ({ files } = await install('static', staticFiles, site));
    running = { port: 0, site, base, vary: { list: 'Accept', config: 'Accept, Cookie' } };
  });
  afterAll(() => removeSite(running.site));

  const kinds = Object.keys(ENDPOINTS) as EndpointKind[];
  const parse = (name: string): unknown => JSON.parse(files.get(name) ?? '');

  it.each(kinds)('Firebase serves %s with the headers of the contract', (kind) => {
    const { rewrites, headers } = (parse('firebase.json') as FirebaseConfig).hosting;
    const path = base + ENDPOINTS[kind];
    expect(rewrites).toContainEqual({ source: path, destination: `${path}index.json` });
    expect(running.site.files.has(`${ENDPOINTS[kind].slice(1)}index.json`)).toBe(true);
    const sent = headers.find(({ source }) => source === path)?.headers ?? [];
    expect(Object.fromEntries(sent.map(({ key, value }) => [key.toLowerCase(), value]))).toEqual(
      expectedOf(running, kind, 'json').headers,
    );
  });

  it.each(kinds)('Azure Static Web Apps serves %s with the headers of the contract', (kind) => {
    const { routes } = parse('staticwebapp.config.json') as StaticWebAppConfig;
    const path = base + ENDPOINTS[kind];
    const first = routes.find(
      ({ route }) => route === path || (route.includes('*') && path.startsWith(route.replace(/\*.*$/, ''))),
    );
    expect(first).toMatchObject({ route: path, rewrite: `${path}index.json` });
    const sent = Object.entries(first?.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
    expect(Object.fromEntries(sent)).toEqual(expectedOf(running, kind, 'json').headers);
  });

  it.each(FILES)('both serve %s with the headers of the contract', (name) => {
    const lowerCase = (headers: [string, string][]): object =>
      Object.fromEntries(headers.map(([header, value]) => [header.toLowerCase(), value]));
    const path = `${base}/${name}`;
    const firebase = (parse('firebase.json') as FirebaseConfig).hosting.headers.find(({ source }) => source === path);
    expect(lowerCase((firebase?.headers ?? []).map(({ key, value }) => [key, value]))).toEqual(fileHeaders(name));
    const { routes } = parse('staticwebapp.config.json') as StaticWebAppConfig;
    const azure = routes.find(({ route }) => route === path);
    expect(lowerCase(Object.entries(azure?.headers ?? {}))).toEqual(fileHeaders(name));
  });

  it('says the types of pictures, and keeps scripts from those in SVG', () => {
    const { routes, mimeTypes } = parse('staticwebapp.config.json') as StaticWebAppConfig;
    for (const [name, type] of Object.entries(MEDIA)) expect(mimeTypes[name.replace(/^.*\./, '.')]).toBe(type);
    const pictures = routes.filter(({ route }) => route.startsWith(`${base}/media/`));
    expect(pictures.map(({ headers }) => headers['Content-Security-Policy'])).toEqual([
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      undefined,
    ]);
  });

  it('has no key, and a README that names both documents', () => {
    expect([...files.values()].join('')).not.toMatch(/nancy|staff/);
    expect([...files.keys()]).toEqual(
      'firebase.json staticwebapp.config.json wrangler.jsonc _headers _redirects README.md'.split(' '),
    );
    for (const kind of kinds) expect(files.get('README.md')).toContain(`${base}${ENDPOINTS[kind]}index.json`);
  });
});
