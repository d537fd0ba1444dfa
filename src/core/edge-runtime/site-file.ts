import { etagOf } from './etag.ts';

/** Checks by its headers whether the code itself sent a request. */
export function isOwnRequest(
  { headers }: Pick<Request, 'headers'>,
  ownHeaders: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(ownHeaders).every(([name, value]) => headers.get(name) === value);
}

/**
 * Fetches a published file from the site itself, and computes its ETag: some platforms give code no other access to files.
 * @param headers - headers by which the code recognises its own requests and lets them pass
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
  // The ETag of the platform becomes weak when the response is compressed.
  return { body, etag: await etagOf(body) };
}
