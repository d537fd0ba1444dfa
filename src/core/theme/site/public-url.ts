const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Checks for an absolute URL that documents may contain: https (http only on this machine), without query and fragment. */
export function isPublicUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return (
    url !== undefined &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname))) &&
    url.username + url.password === '' &&
    /^[A-Za-z0-9.:[\]/_~-]+$/.test(text) &&
    !/\/\.{1,2}(?:\/|$)/.test(text) &&
    !url.pathname.includes('//')
  );
}

/** The condition of {@link isPublicUrl}, in words. */
export const PUBLIC_URL = 'an https URL without user name, query or fragment (http only for localhost)';
