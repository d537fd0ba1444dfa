import { LIST } from '../../core/document/endpoint.ts';
import { UsageError } from './command.ts';

/** Returns the part of a URL before the endpoints, without trailing slash. @throws {UsageError} */
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
