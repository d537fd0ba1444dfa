import type { IncomingMessage, ServerResponse } from 'node:http';
import { IMAGE_FIELDS, IMAGE_SET_FIELDS, SETTING_DEFAULTS } from '../../src/core/theme/fields/fields.ts';
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

/** Returns a complete theme record, with images at `URL/media/<id>/`. */
export function record(id: number, changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const url = (field: string): string => `URL/media/${id}/${field}.svg`;
  return {
    id,
    name: `Theme ${id}`,
    ...Object.fromEntries(IMAGE_FIELDS.map((field) => [field, url(field)])),
    ...Object.fromEntries(
      IMAGE_SET_FIELDS.map((field) => [field, { original: url(field), thumbnail: `${url(field)}.png` }]),
    ),
    ...SETTING_DEFAULTS,
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

/** Responds with a valid SVG, which depends on the path. */
function image(response: ServerResponse, target: string): void {
  const hue = Buffer.from(target).reduce((sum, byte) => (sum * 31 + byte) % 360, 7);
  response.setHeader('Content-Type', 'image/svg+xml');
  response.end(bar(`hsl(${hue},60%,40%)`, /favicon|compact/.test(target) ? 64 : 4));
}

/** Returns a small SVG, wide enough for a banner. */
export function bar(colour: string, height = 4): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="${height}"><rect width="60" height="${height}" fill="${colour}"/></svg>`;
}
