import { soleSuggestion, suggest } from '../diagnostics/suggest.ts';
import type { Path } from './places.ts';
import { replacementOf } from './requote.ts';
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

/** The name that an unknown field was meant to have, unless that is taken, or two fields were meant to have it. */
export function keyFix(path: Path, known: readonly string[], document: SourceDocument): string | undefined {
  const key = String(path.at(-1));
  const meant = soleSuggestion(key, known);
  const siblings = Object.keys(valueOf(document, path.slice(0, -1)) as object);
  const isTaken = siblings.some(
    (other) => other !== key && (other === meant || soleSuggestion(other, known) === meant),
  );
  return isTaken ? undefined : replacementOf(document.keySourceAt(path), key, meant);
}
