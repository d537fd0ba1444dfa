import { publishedDigits } from '../image/name.ts';
import { ASSETS, CONFIG, LIST, SCHEMAS, THEME } from './endpoint.ts';
import { THEME_ID } from '../edge-runtime/theme-id.ts';
import { MANIFEST_MARK } from './manifest-mark.ts';

const SLUG = '[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?';

const [LIST_FOLDER, CONFIG_FOLDER] = [LIST, CONFIG].map(({ path }) => path.slice(1));
const HTML = /^<!doctype html>\n<html lang="en">\n<head>\n/;

/** The paths of documents below `dist/`, each with the start of the document. */
const DOCUMENTS: readonly [name: RegExp, start: RegExp][] = [
  [/^manifest\.json$/, MANIFEST_MARK.start],
  [/^_headers$/, /^(?:\/\S+)?\/media\/\*\n {2}/],
  [
    exactly(SCHEMAS.openapi.slice(1)),
    /^\{\n {2}"openapi": "3\.1\.0",\n {2}"info": \{\n {4}"title": "Theme service of /,
  ],
  [
    exactly(SCHEMAS.jsonSchema.slice(1)),
    /^\{\n {2}"\$schema": "[^"]+",\n {2}"\$id": "[^"]+\/schema\/theme\.schema\.json"/,
  ],
  [exactly(`${LIST_FOLDER}index.json`), /^\[\{"id":\d/],
  [exactly(`${LIST_FOLDER}options.json`), /^\{"name":"Theme List"/],
  [exactly(ASSETS.slice(1)), /^\{(?:"\d+":\{"name":|\}$)/],
  [exactly(`${CONFIG_FOLDER}options.json`), /^\{"name":"Config"/],
  [exactly(THEME.options.slice(1)), /^\{"name":"Theme Instance"/],
  [new RegExp(`^${LIST_FOLDER}${THEME_ID}/index\\.json$`), /^\{"id":\d/],
  [new RegExp(`^${LIST_FOLDER}${THEME_ID}/index\\.css$`), /^:root \{\n--theme-id: \d/],
  [new RegExp(`^${LIST_FOLDER}(?:config/)?browse\\.html$`), HTML],
  [new RegExp(`^${CONFIG_FOLDER}${SLUG}\\.html$`), HTML],
  [new RegExp(`^${CONFIG_FOLDER}${SLUG}\\.json$`), /^\{"id":\d/],
  [new RegExp(`^${CONFIG_FOLDER}${SLUG}\\.css$`), /^:root \{\n--theme-id: \d/],
  [new RegExp(`^${CONFIG_FOLDER}${SLUG}\\.webmanifest$`), /^\{"id":"/],
  [new RegExp(`^${CONFIG_FOLDER}${SLUG}\\.png$`), /^\ufffdPNG/],
];

function exactly(name: string): RegExp {
  return new RegExp(`^${name.replaceAll('.', '\\.')}$`);
}

/** Number of bytes at the start of a document that show whether a build made it. */
export const START_BYTES = 200;

/**
 * Returns the mark of a build in the file at this path below `dist/`: the start of the document, or digits of its SHA-256 from its name.
 * Returns undefined for foreign files.
 */
export function publishedMark(path: string): { start: RegExp } | { digits: string } | undefined {
  const digits = publishedDigits(path);
  if (digits !== undefined) return { digits };
  const start = DOCUMENTS.find(([name]) => name.test(path))?.[1];
  return start && { start };
}

/** Checks whether a build may make this folder below `dist/`. */
export function isPublishedFolder(path: string): boolean {
  return /^(?:api(?:\/v2(?:\/theme(?:\/config|\/[1-9]\d*)?)?)?|schema|media(?:\/[a-z0-9-]+)?)$/.test(path);
}
