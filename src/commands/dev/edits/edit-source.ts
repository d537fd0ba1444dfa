import { Diagnostics } from '../../../core/diagnostics/diagnostic.ts';
import { sha256Of } from '../../../system/disk/files.ts';
import { writableFolder } from '../../../system/disk/checkout.ts';
import { checkCharacters } from '../../../core/source/text.ts';
import { parseYaml } from '../../../core/source/yaml.ts';
import { TEXT_LIMIT, THEME_FILE } from '../../../core/theme/themes-folder.ts';
import { sentence } from './field-errors.ts';
import type { BrokenSource } from '../pages/source-card.ts';
import { type Payload, reject, type Reply, textOf } from './payload.ts';
import type { Session } from '../session/session.ts';

/** Reads a theme.yaml with YAML errors; undefined if it is no UTF-8 text. */
export async function brokenSource(
  session: Session,
  slug: string,
): Promise<(BrokenSource & { hash: string }) | undefined> {
  const bytes = await read(session, slug).catch(() => undefined);
  const text = bytes?.toString();
  // With another encoding, saving would also change other characters.
  if (bytes === undefined || text === undefined || !Buffer.from(text).equals(bytes)) return undefined;
  return { text: text.replace(/^\ufeff/, ''), errors: errorsIn(text.replace(/^\ufeff/, '')), hash: sha256Of(bytes) };
}

/** Writes the text of a theme.yaml if it can be parsed. The field `hash` is the digest of the displayed file. */
export async function updateSource(payload: Payload, session: Session, slug: string): Promise<Reply> {
  const name = `${slug}/${THEME_FILE}`;
  const before = await read(session, slug);
  if (before === undefined || textOf(payload, 'hash') !== sha256Of(before))
    return reject(409, `\`${name}\` has changed meanwhile. Copy your text, and reload the page.`);
  // Forms send every line ending as CRLF.
  const source = textOf(payload, 'source').replaceAll('\r\n', '\n');
  const text = before.includes('\r\n') ? source.replaceAll('\n', '\r\n') : source;
  const [error] = errorsIn(text);
  if (error !== undefined) return reject(400, new Map([['source', [`Line ${error.line}: ${error.text}`]]]));
  const mark = before.toString().startsWith('\ufeff') ? '\ufeff' : '';
  await session.write(slug, [{ name, before, after: Buffer.from(mark + text) }], THEME_FILE);
  return { status: 200, json: {} };
}

function read({ options }: Session, slug: string): Promise<Buffer | undefined> {
  return writableFolder(options.themesDir).read(`${slug}/${THEME_FILE}`, TEXT_LIMIT);
}

/** Returns the syntax errors of a text, with their lines. */
function errorsIn(text: string): BrokenSource['errors'] {
  const diagnostics = new Diagnostics();
  const isRead = checkCharacters(THEME_FILE, text, diagnostics.report);
  if (isRead && parseYaml(THEME_FILE, text, diagnostics.report) !== undefined) return [];
  return diagnostics.sorted.map((diagnostic) => ({
    line: diagnostic.location.start?.line ?? 1,
    text: sentence(diagnostic),
  }));
}
