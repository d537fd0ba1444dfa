/**
 * Checks a URL that a service returned.
 * @param origin - the origin of the list, the only one that gets credentials
 * @returns the URL to request, or a sentence about why it is not requested
 */
export function requestUrl(text: string, origin: string): URL | string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return 'It is no http or https URL.';
  if (url.username + url.password !== '') return 'It contains a user name or a password.';
  const list = new URL(origin);
  // Behind a proxy that terminates TLS, services write their own URLs with http.
  if (url.host === list.host && url.protocol === 'http:') url.protocol = list.protocol;
  if (url.hostname === list.hostname && url.protocol === 'https:' && list.protocol === 'http:')
    return `The service is at ${url.origin}: run the command with that URL.`;
  return url;
}
