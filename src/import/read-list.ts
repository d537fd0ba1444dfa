/** A page of a list: all of it, or one of those of Django REST Framework's pagination. */
export interface ListPage {
  records: readonly unknown[];
  /** The URL of the next page. */
  next: string | undefined;
  /** How many themes all pages have together, if the service says so. */
  count: number | undefined;
}

/** The themes of a response to LIST; nothing if it is no list. */
export function readPage(body: unknown): ListPage | undefined {
  if (Array.isArray(body)) return { records: body, next: undefined, count: undefined };
  if (typeof body !== 'object' || body === null || !('results' in body) || !Array.isArray(body.results))
    return undefined;
  const { results, next, count } = body as { results: unknown[]; next?: unknown; count?: unknown };
  return {
    records: results,
    next: typeof next === 'string' && next !== '' ? next : undefined,
    count: typeof count === 'number' ? count : undefined,
  };
}
