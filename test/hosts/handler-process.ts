import type { IncomingMessage, ServerResponse } from 'node:http';
import { BlockList } from 'node:net';
import path from 'node:path';
import { commonFiles } from '../../src/hosts/adapter/common-files.ts';
import { handle, type Platform } from '../../src/core/edge-runtime/handler.ts';
import { openMapping, type ThemeOf } from '../../src/compiler/serve/read-build.ts';
import { listening } from '../listening.ts';
import type { Host } from './contract.ts';
import { JWKS } from './contract/tokens.ts';
import { type PublishedSite, textOf, writeOutputFile } from './site.ts';

/** A function that responds to a request, or returns undefined outside the theme service. */
export type Respond = (request: IncomingMessage) => Promise<Response | undefined>;

/** Serves a site through the portable handler, on node:http. */
export function startHandler(site: PublishedSite): Promise<Host> {
  return startResponding(handlerOf(site));
}

/** Serves a site as `themecast serve` does, which looks up users in `edge/`. */
export async function startServing(site: PublishedSite): Promise<Host> {
  const edge = path.join(site.folder, 'edge');
  for (const file of commonFiles(site)) await writeOutputFile(edge, file);
  return startResponding(handlerOf(site, await openMapping(edge, site.rules, (name) => site.secrets[name])));
}

export function handlerOf(site: PublishedSite, themeOf = assignedThemes(site)): Respond {
  return (request) => {
    const headers = { get: (name: string) => headerOf(request, name) };
    const url = `http://host.invalid${request.url ?? '/'}`;
    return handle({ method: request.method ?? 'GET', url, headers }, site.rules, hostOf(request, site, themeOf));
  };
}

function assignedThemes({ assignments }: PublishedSite): ThemeOf {
  const users = new Map(assignments.map(({ kind, key, theme }) => [`${kind} ${key}`, theme]));
  return async (kind, key) => users.get(`${kind} ${key}`);
}

/** Starts a server on node:http that responds by a function. */
export function startResponding(respond: Respond): Promise<Host> {
  return listening((request, response) => {
    answer(request, response, respond).catch((error: unknown) => response.destroy(error as Error));
  });
}

async function answer(request: IncomingMessage, response: ServerResponse, respond: Respond): Promise<void> {
  const result = await respond(request);
  if (result === undefined) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(result.status, Object.fromEntries(result.headers));
  response.end(Buffer.from(await result.arrayBuffer()));
}

function hostOf({ socket }: IncomingMessage, site: PublishedSite, themeOf: ThemeOf): Platform {
  return {
    readFile: async (path) => {
      const file = site.files.get(path.slice(1));
      return file && { body: textOf(site, file.path), etag: `"${file.sha256}"` };
    },
    themeOf,
    secret: (env) => site.secrets[env],
    jwks: async () => JWKS,
    isTrusted: (proxies) => {
      const trusted = new BlockList();
      for (const proxy of proxies) {
        const [address = '', prefix = '32'] = proxy.split('/');
        trusted.addSubnet(address, Number(prefix));
      }
      return trusted.check(socket.remoteAddress ?? '');
    },
  };
}

function headerOf(request: IncomingMessage, name: string): string | null {
  return request.headersDistinct[name.toLowerCase()]?.join(name === 'Cookie' ? '; ' : ', ') ?? null;
}
