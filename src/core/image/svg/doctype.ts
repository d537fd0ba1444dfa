import { isEditorNamespace, SVG_NAMESPACE, XLINK_NAMESPACE } from './allowed.ts';

/**
 * The document types of SVG with the identifiers built into browsers, so that nothing is fetched, or only the name; then the declarations between
 * brackets.
 */
const DOCTYPE =
  /^\s*svg(?:\s+PUBLIC\s+(["'])-\/\/W3C\/\/DTD SVG (?:1\.[01]|1\.1 (?:Tiny|Basic)|20000303 Stylable|20010904)\/\/EN\1\s+(["'])https?:\/\/www\.w3\.org\/[\w/.-]+\.dtd\2)?\s*(?:\[([^\]]*)\]\s*)?$/;

/**
 * Illustrator writes its namespaces as entities. Their values can only be read as plain text. An attribute may be declared only in this form: saxes
 * reads no such declarations, and browsers would add any other to each element, even `onload`.
 */
const DECLARATION =
  /\s*(?:<!ENTITY\s+(ns_\w+)\s+"([\w:/.-]{1,100})"\s*>|<!ATTLIST\s+svg\s+xmlns:xlink\s+CDATA\s+#FIXED\s+"http:\/\/www\.w3\.org\/1999\/xlink"\s*>)\s*/y;

/** Reads the text of a DOCTYPE. @returns the entities that it declares, each with a known namespace; nothing if it is not accepted */
export function readDoctype(doctype: string): ReadonlyMap<string, string> | undefined {
  const match = DOCTYPE.exec(doctype);
  if (match === null) return undefined;
  const [, , , declarations = ''] = match;
  const entities = new Map<string, string>();
  for (let at = 0; at < declarations.length; at = DECLARATION.lastIndex) {
    DECLARATION.lastIndex = at;
    const [declaration, name, value = ''] = DECLARATION.exec(declarations) ?? [];
    if (declaration === undefined && declarations.slice(at).trim() === '') break;
    if (declaration === undefined) return undefined;
    if (name === undefined) continue;
    // Of two declarations of one name, XML parsers use the first.
    if (entities.has(name) || !isNamespace(value)) return undefined;
    entities.set(name, value);
  }
  return entities;
}

function isNamespace(uri: string): boolean {
  return uri === SVG_NAMESPACE || uri === XLINK_NAMESPACE || isEditorNamespace(uri);
}
