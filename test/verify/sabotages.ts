import type { Build } from '../../src/verify/build.ts';
import type { CheckId } from '../../src/verify/checks.ts';
import type { Passing, Spoil } from './sabotaged-server.ts';

/** Changes the responses of a deployment of the build. */
export type Wrong = (passing: Passing, built: Build) => void;

/** One fault, all the checks that must fail (and no others), and texts that their `found` and hints must match. */
export type Case = readonly [wrong: string, spoil: Wrong, red: readonly CheckId[], found: RegExp, hint?: RegExp];

export const APP = 'https://app.example.org';
export const LIST = '/api/v2/theme/';
export const CONFIG = '/api/v2/theme/config/';
export const LISTING = '<!doctype html><html><title>Index of /api/v2/theme/</title></html>';

/** Limits a fault to some responses. */
export function where(holds: (passing: Passing) => boolean, spoil: Wrong): Wrong {
  return (passing, built) => {
    if (holds(passing)) spoil(passing, built);
  };
}

const pathOf = ({ target }: Passing): string => target.split('?')[0] ?? '';
export const isList = (passing: Passing): boolean => pathOf(passing) === LIST;
export const isConfig = (passing: Passing): boolean => pathOf(passing) === CONFIG;
export const isMedia = ({ target }: Passing): boolean => target.startsWith('/media/');
export const isPng = ({ target }: Passing): boolean => /^\/media\/meadow\/banner\.[0-9a-f]+\.png$/.test(target);
export const isJson = ({ headers }: Passing): boolean => headers['content-type'] === 'application/json';
export const isPage = ({ headers }: Passing): boolean => headers['content-type'] === 'text/html; charset=utf-8';
export const asks = (method: string) => (passing: Passing) => passing.method === method;
export const set =
  (headers: Record<string, string>): Spoil =>
  (passing) =>
    void Object.assign(passing.headers, headers);
export const without =
  (name: string): Spoil =>
  (passing) =>
    void delete passing.headers[name];
export const reply =
  (status: number, text: string, type: string): Spoil =>
  (passing) => {
    passing.status = status;
    passing.body = Buffer.from(text);
    passing.headers['content-type'] = type;
  };
export const textIn = (passing: Passing): string => passing.body.toString('utf8');

/** The document of CONFIG for a theme. */
export function configOf(built: Build, theme: string): Buffer {
  const record = built.list[built.rules.themes.indexOf(theme)];
  return Buffer.from(JSON.stringify({ ...record, palette_preview: [] }));
}
