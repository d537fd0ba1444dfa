import { existsSync } from 'node:fs';
import { LIST } from '../document/endpoint.ts';
import { UsageError } from './command.ts';

/** The part of a URL before the endpoints, without trailing slash. @throws {UsageError} */
export function serviceUrlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && url.username + url.password + url.search + url.hash === '';
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(
      `URL must be an http or https URL without user name, query or fragment, like https://community.example.org, not \`${text}\`.`,
    );
  }
  const at = url.pathname.indexOf(LIST.path.slice(0, -1));
  const path = at === -1 ? url.pathname : url.pathname.slice(0, at);
  return url.origin + path.replace(/\/+$/, '');
}

/** The URL that was probably meant where a file or folder is named that is not there: `http://127.0.0.1:8801` for `127.0.0.1:8801`. */
export function hostLike(text: string): string | undefined {
  const [, host = '', port] = /^([a-z0-9-]+(?:\.[a-z0-9-]+)*)(:\d{1,5})?(?:\/|$)/i.exec(text) ?? [];
  const isHost = port !== undefined || /\.(?!(?:json|txt)$)[a-z0-9-]+$/i.test(host);
  if (!isHost || existsSync(text)) return undefined;
  const isLocal = port !== undefined || /^(?:localhost|[\d.]+)$/i.test(host);
  const url = `${isLocal ? 'http' : 'https'}://${text}`;
  return URL.canParse(url) ? url : undefined;
}
