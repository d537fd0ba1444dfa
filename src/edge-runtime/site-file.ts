/**
 * A published file and its content-based ETag, by a request to the site itself: for platforms where code reaches files in no other way.
 * @param headers - by which the code lets its own requests pass
 */
export async function siteFile(
  url: URL,
  headers: Readonly<Record<string, string>>,
): Promise<{ body: ArrayBuffer; etag: string } | undefined> {
  const response = await fetch(url, { headers });
  const body = await response.arrayBuffer();
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`The site answers its own request for ${url.pathname} with ${response.status}.`);
  // Not the ETag of the platform: it turns weak where the answer comes compressed.
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body));
  return { body, etag: `"${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')}"` };
}
