import { suggest } from '../diagnostics/suggest.ts';
import type { Path } from './places.ts';
import type { SourceDocument } from './yaml.ts';

/** The value at a path. */
export function valueOf({ data }: SourceDocument, path: Path): unknown {
  return path.reduce<unknown>((within, step) => (within as Record<PropertyKey, unknown> | undefined)?.[step], data);
}

/** Other words for a field. */
const SYNONYMS: Readonly<Record<string, string>> = { hostname: 'host', domain: 'host', url: 'host' };

/** The field that an unknown name probably means. */
export function meantKey(key: string, known: readonly string[]): string | undefined {
  const synonym = Object.hasOwn(SYNONYMS, key) ? SYNONYMS[key] : undefined;
  return suggest(key, known) ?? (synonym !== undefined && known.includes(synonym) ? synonym : undefined);
}
