import { etagOf } from './etag.ts';

/** Whether a request is one of the code itself, by its headers. */
export function isOwnRequest({ headers }: Pick<Request, 'headers'>, own: Readonly<Record<string, string>>): boolean {
  return Object.entries(own).every(([name, value]) => headers.get(name) === value);
}

/**
 * Fetches a published file from the site itself and computes a content-based ETag, for platforms that give code no other access to files.
 * @param headers - headers by which the code recognizes its own requests and lets them pass
 */
export async function siteFile(
  url: URL,
  headers: Readonly<Record<string, string>>,
): Promise<{ body: ArrayBuffer; etag: string } | undefined> {
  const response = await fetch(url, { headers });
  const body = await response.arrayBuffer();
  if (response.status === 404) return undefined;
  if (!response.ok)
    throw new Error(`The site responded to its own request for ${url.pathname} with ${response.status}.`);
  // Not the ETag of the platform, which becomes weak when the response is compressed.
  return { body, etag: await etagOf(body) };
}
