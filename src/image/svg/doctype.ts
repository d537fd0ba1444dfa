import { isEditorNamespace, SVG_NAMESPACE, XLINK_NAMESPACE } from './allowed.ts';

/**
 * The document types of SVG (with the names that browsers have built in: nothing is fetched), or none but the name; then what
 * is declared between brackets.
 */
const DOCTYPE =
  /^\s*svg(?:\s+PUBLIC\s+(["'])-\/\/W3C\/\/DTD SVG (?:1\.[01]|1\.1 (?:Tiny|Basic)|20000303 Stylable|20010904)\/\/EN\1\s+(["'])https?:\/\/www\.w3\.org\/[\w/.-]+\.dtd\2)?\s*(?:\[([^\]]*)\]\s*)?$/;

/**
 * Illustrator writes its namespaces as entities. Nothing in the value can be read as anything but that text. An attribute may be
 * declared in this form only: saxes reads no such declarations, and browsers would add any other to each element, `onload` too.
 */
const DECLARATION =
  /\s*(?:<!ENTITY\s+(ns_\w+)\s+"([\w:/.-]{1,100})"\s*>|<!ATTLIST\s+svg\s+xmlns:xlink\s+CDATA\s+#FIXED\s+"http:\/\/www\.w3\.org\/1999\/xlink"\s*>)\s*/y;

/**
 * Reads the text of a DOCTYPE.
 * @returns the entities that it declares, each for the name of a known namespace; nothing if it is not accepted
 */
export function readDoctype(doctype: string): ReadonlyMap<string, string> | undefined {
  const match = DOCTYPE.exec(doctype);
  if (match === null) return undefined;
  const [, , , declared = ''] = match;
  const entities = new Map<string, string>();
  for (let at = 0; at < declared.length; at = DECLARATION.lastIndex) {
    DECLARATION.lastIndex = at;
    const [whole, name, value = ''] = DECLARATION.exec(declared) ?? [];
    if (whole === undefined && declared.slice(at).trim() === '') break;
    if (whole === undefined) return undefined;
    if (name === undefined) continue;
    // Of two declarations of one name, readers of XML take the first.
    if (entities.has(name) || !isNamespace(value)) return undefined;
    entities.set(name, value);
  }
  return entities;
}

function isNamespace(uri: string): boolean {
  return uri === SVG_NAMESPACE || uri === XLINK_NAMESPACE || isEditorNamespace(uri);
}
