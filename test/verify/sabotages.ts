import type { Build } from '../../src/hosts/published-build.ts';
import type { CheckId } from '../../src/commands/verify/checks.ts';
import type { ProxiedResponse, Sabotage } from './sabotaged-server.ts';

/** Changes the responses of a deployment of the build. */
export type Fault = (proxied: ProxiedResponse, built: Build) => void;

/** A fault, exactly the checks that must fail, and patterns for their `found` and `hint`. */
export type Case = readonly [
  title: string,
  sabotage: Fault,
  failing: readonly CheckId[],
  found?: RegExp,
  hint?: RegExp,
];

export const APP = 'https://app.example.org';
export const LIST = '/api/v2/theme/';
export const CONFIG = '/api/v2/theme/config/';
export const LISTING = '<!doctype html><html><title>Index of /api/v2/theme/</title></html>';

/** Limits a fault to some responses. */
export function where(matches: (proxied: ProxiedResponse) => boolean, sabotage: Fault): Fault {
  return (proxied, built) => {
    if (matches(proxied)) sabotage(proxied, built);
  };
}

const pathOf = ({ target }: ProxiedResponse): string => target.split('?')[0] ?? '';
export const isList = (proxied: ProxiedResponse): boolean => pathOf(proxied) === LIST;
export const isConfig = (proxied: ProxiedResponse): boolean => pathOf(proxied) === CONFIG;
export const isMedia = ({ target }: ProxiedResponse): boolean => target.startsWith('/media/');
export const isOpenApi = (proxied: ProxiedResponse): boolean => pathOf(proxied) === '/schema/openapi.json';
export const isOldPath = ({ target }: ProxiedResponse): boolean => target.startsWith('/old/');
export const isPng = ({ target }: ProxiedResponse): boolean => /^\/media\/meadow\/banner\.[0-9a-f]+\.png$/.test(target);
export const isJson = ({ headers }: ProxiedResponse): boolean => headers['content-type'] === 'application/json';
export const isPage = ({ headers }: ProxiedResponse): boolean => headers['content-type'] === 'text/html; charset=utf-8';
export const isCss = (proxied: ProxiedResponse): boolean =>
  isConfig(proxied) && proxied.status === 200 && proxied.headers['content-type']?.startsWith('text/css') === true;
export const isIcon = (proxied: ProxiedResponse): boolean =>
  isConfig(proxied) && proxied.status === 200 && proxied.headers['content-type'] === 'image/png';
export const isRedirect = ({ status }: ProxiedResponse): boolean => status === 301;
export const isPreflight = ({ request }: ProxiedResponse): boolean =>
  request['access-control-request-method'] !== undefined;
export const isAt = (target: string) => (proxied: ProxiedResponse) => proxied.target === target;
export const hasMethod = (method: string) => (proxied: ProxiedResponse) => proxied.method === method;
export const set =
  (headers: Record<string, string>): Sabotage =>
  (proxied) =>
    void Object.assign(proxied.headers, headers);
export const without =
  (name: string): Sabotage =>
  (proxied) =>
    void delete proxied.headers[name];
export const reply =
  (status: number, text: string, type: string): Sabotage =>
  (proxied) => {
    proxied.status = status;
    proxied.body = Buffer.from(text);
    proxied.headers['content-type'] = type;
  };
export const missing = reply(404, '{"detail":"Not found."}', 'application/json');
export const withStatus =
  (status: number): Sabotage =>
  (proxied) =>
    void (proxied.status = status);
/** Responds with 304. */
export const unmodified: Sabotage = (proxied) => {
  proxied.status = 304;
  proxied.body = Buffer.alloc(0);
};
export const textIn = (proxied: ProxiedResponse): string => proxied.body.toString('utf8');

/** Returns the document of CONFIG for a theme. */
export function configOf(built: Build, theme: string): Buffer {
  const record = built.list[built.rules.themes.indexOf(theme)];
  return Buffer.from(JSON.stringify({ ...record, palette_preview: [] }));
}
