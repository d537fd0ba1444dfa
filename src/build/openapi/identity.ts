import type { EdgeRules } from '../../hosts/contract.ts';

/** Greatest number of hostnames that the document lists. */
const MAX_SERVERS = 20;

/** How the requesting user is identified, by no more than what every response has in `Vary`. */
export function identityNote({ endpoints: { list, config }, identity }: EdgeRules): string {
  const shared = list.vary.split(', ');
  const read = config.vary.split(', ').filter((name) => !shared.includes(name));
  const isByHost = identity.some(({ credential }) => credential.from === 'host');
  const notes = [
    ...(isByHost ? ['The hostname of the request chooses the theme.'] : []),
    ...(read.length === 0
      ? []
      : [
          `The requesting user is identified by these request headers: ${read.join(', ')}. Some may be accepted only from a proxy.`,
        ]),
    ...(read.includes('Cookie') ? ['The operator of the service knows the name of the cookie.'] : []),
  ];
  return notes.map((note) => ` ${note}`).join('');
}

/** Whether the user may be identified by a bearer token, or by what a login service makes of the header. */
export function readsAuthorization({ endpoints: { config } }: EdgeRules): boolean {
  return config.vary.split(', ').includes('Authorization');
}

/** The base URL, and the first hostnames that choose a theme. */
export function serversOf({ baseUrl, basePath, identity }: EdgeRules): { url: string; description?: string }[] {
  const names = identity.flatMap(({ credential }) =>
    credential.from === 'host' ? Object.keys(credential.themes ?? {}) : [],
  );
  const urls = new Set(names.map((name) => `https://${name}${basePath}`));
  urls.delete(baseUrl);
  return [
    { url: baseUrl },
    ...[...urls].slice(0, MAX_SERVERS).map((url) => ({ url, description: 'Its hostname chooses the theme.' })),
  ];
}
