import type { IncomingMessage, ServerResponse } from 'node:http';
import { listening } from '../listening.ts';

/** A function that responds to requests for a path. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A simulated theme service, whose responses tests can replace. */
export interface FakeService {
  url: string;
  /** The method and target of every request. */
  requests: string[];
  /** Headers of the last request for a path. */
  headers: Map<string, IncomingMessage['headers']>;
  /** The body of the list. `URL` at the start of a string becomes the URL of the service. */
  records: unknown;
  answers: Map<string, Answer>;
  close(): Promise<void>;
}

const IMAGES = ['favicon', 'logo', 'logo_inverse', 'compact_logo', 'compact_logo_inverse'];
const IMAGE_SETS = ['logo_site', 'default_group_banner', 'default_event_banner', 'default_user_profile_banner'];

/** Returns a complete theme record, with images at `URL/media/<id>/`. */
export function record(id: number, changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const url = (field: string): string => `URL/media/${id}/${field}.svg`;
  return {
    id,
    name: `Theme ${id}`,
    ...Object.fromEntries(IMAGES.map((field) => [field, url(field)])),
    ...Object.fromEntries(IMAGE_SETS.map((field) => [field, { original: url(field), thumbnail: `${url(field)}.png` }])),
    light_mode_logo_type: 'NORMAL',
    dark_mode_logo_type: 'INVERSE',
    logo_alignment: 'left',
    logo_height: 40,
    logo_margin_left: 0,
    logo_margin_top: 0,
    compact_light_mode_logo_type: 'NORMAL',
    compact_dark_mode_logo_type: 'INVERSE',
    compact_logo_size: 32,
    is_default: id === 1,
    palette_preview: Array.from({ length: 9 }, (_, at) => `hsl(${id % 360},50%,${10 * at}%)`),
    ...changes,
  };
}

export async function startFakeService(): Promise<FakeService> {
  const answers = new Map<string, Answer>();
  const requests: string[] = [];
  const headers: FakeService['headers'] = new Map();
  const { url, stop: close } = await listening((request, response) => {
    const { method = '', url: target = '' } = request;
    const [path = ''] = target.split('?');
    requests.push(`${method} ${target}`);
    headers.set(path, request.headers);
    const answer = answers.get(path) ?? defaultAnswer;
    answer(request, response);
  });
  const service: FakeService = { url, requests, headers, records: [], answers, close };

  function defaultAnswer({ url: target = '' }: IncomingMessage, response: ServerResponse): void {
    if (target.startsWith('/api/v2/theme/config/')) json(response, { id: 1 });
    else if (target.startsWith('/api/v2/theme/')) json(response, service.records);
    else if (/^\/media\/\d+\/\w+\.svg$/.test(target)) image(response, target);
    else response.writeHead(404).end('{"detail":"Not found."}');
  }

  function json(response: ServerResponse, body: unknown): void {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(body).replaceAll('"URL/', `"${url}/`));
  }
  return service;
}

/** Responds with a valid SVG and an ETag, which depend on the path. */
function image(response: ServerResponse, target: string): void {
  const hue = Buffer.from(target).reduce((sum, byte) => (sum * 31 + byte) % 360, 7);
  response.setHeader('Content-Type', 'image/svg+xml');
  const etag = `"${hue}"`;
  response.setHeader('ETag', etag);
  if (response.req.headers['if-none-match'] === etag) response.writeHead(304).end();
  else response.end(bar(`hsl(${hue},60%,40%)`, /favicon|compact/.test(target) ? 64 : 4));
}

/** Returns a small SVG, wide enough for a banner. */
export function bar(colour: string, height = 4): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="${height}"><rect width="60" height="${height}" fill="${colour}"/></svg>`;
}
