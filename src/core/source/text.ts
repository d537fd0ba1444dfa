import type { Location, Report } from '../diagnostics/diagnostic.ts';
import { characterName } from '../diagnostics/characters.ts';
import { locator } from './lines.ts';

/** The bytes of a text file, and its name relative to the working directory. */
export interface SourceFile {
  file: string;
  bytes: Uint8Array;
}

// Matches controls except tab, line feed and carriage return; soft hyphens, zero-width spaces and bidirectional controls; byte order
// marks, annotations and noncharacters; lone surrogates. Joiners are allowed: Persian and emoji need them.
const FORBIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]|\r(?!\n)|[\ud800-\udfff]/gu;

/** Matches letters of scripts that are written from right to left, whose texts need direction marks around Latin words and digits. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const isMarkOf = (text: string, character: string): boolean =>
  /[\u200e\u200f]/.test(character) && RIGHT_TO_LEFT.test(text);

/** Maximum number of forbidden characters that are reported for a file. */
const MAX_REPORTED = 10;

/** Returns the text before the first byte that is not UTF-8: it is the first that differs after decoding and encoding. */
function decodableStart(bytes: Uint8Array): string {
  const written = Buffer.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  let end = 0;
  while (written[end] === bytes[end]) end++;
  return new TextDecoder('utf-8').decode(bytes.subarray(0, end), { stream: true });
}

/** The text that Git LFS leaves in place of a file that it has not fetched. */
const LFS_POINTER = /^version https:\/\/git-lfs\.github\.com\/spec\//;
/** A line of Markdown around code, which comes with text copied from a chat or a page. */
const FENCE = /^(?:```|~~~)[\w-]*[ \t]*\r?$/m;
/** Secrets that their makers mark: private keys, and tokens of AWS, GitHub, GitLab, Stripe and Slack. */
const SECRET =
  /-----BEGIN [A-Z ]*PRIVATE KEY-----|\b(?:AKIA[0-9A-Z]{16}|gh[pousr]_\w{36,}|glpat-[\w-]{20,}|[sr]k_live_\w{16,}|xox[abpr]-[\w-]{10,})/;

/**
 * Decodes a file strictly as UTF-8; rejects pointers of Git LFS, Markdown fences, secrets, merge conflicts and invisible characters; drops a byte
 * order mark at the start.
 */
export function decodeText(source: SourceFile, report: Report): string | undefined {
  const { file } = source;
  const text = decodeUtf8(source, report);
  if (text === undefined) return undefined;
  const fence = FENCE.exec(text);
  const secret = SECRET.exec(text);
  if (LFS_POINTER.test(text)) report('file/lfs-pointer', { file }, {});
  else if (fence !== null)
    report('file/fence', locator(file, text)(fence.index, fence.index + fence[0].trimEnd().length), {});
  // Without a place: the line would be printed.
  else if (secret !== null) report('file/secret', { file }, { line: lineAt(text, secret.index), field: undefined });
  else return checkCharacters(file, text, report) ? text : undefined;
  return undefined;
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

/** Decodes a file strictly as UTF-8; drops a byte order mark at the start. */
export function decodeUtf8({ file, bytes }: SourceFile, report: Report): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const good = decodableStart(bytes);
    report('file/encoding', locator(file, `${good}?`)(good.length, good.length + 1), { csv: file.endsWith('.csv') });
    return undefined;
  }
}

/** Reports a merge conflict or invisible characters; returns whether there are none. */
export function checkCharacters(file: string, text: string, report: Report): boolean {
  const locate = locator(file, text);
  const conflict = /^<{7} .*$/m.exec(text);
  if (conflict !== null) {
    report('file/conflict', locate(conflict.index, conflict.index + conflict[0].trimEnd().length), {});
    return false;
  }
  const reported: string[] = [];
  let last = -1;
  for (const { 0: character, index } of text.matchAll(FORBIDDEN)) {
    if (reported.length === MAX_REPORTED) break;
    if (character === '\r' && reported.includes('\r')) continue; // every line of an old Mac file has it: report only the first
    const isRepeated = index === last + 1 && character === reported.at(-1);
    last = index;
    if (isRepeated || isMarkOf(nameLine(text, index), character)) continue;
    reported.push(character);
    report('file/character', locate(index, index + 1), { character: characterName(character), escaped: false });
  }
  return reported.length === 0;
}

/** Checks whether a text contains a forbidden character or a line break. */
export function hasInvisible(text: string): boolean {
  return /[\t\r\n]/.test(text) || forbiddenIn(text).length > 0;
}

/**
 * Reports invisible characters in a parsed text. The file itself may have none, because YAML has escapes for them (`"\u202e"`).
 * @returns the text without them
 */
export function checkInvisible(text: string, locate: () => Location, report: Report): string {
  const [character] = forbiddenIn(text);
  if (character === undefined) return text;
  report('file/character', locate(), { character: characterName(character), escaped: true });
  return text.replace(FORBIDDEN, '');
}

function forbiddenIn(text: string): string[] {
  return (text.match(FORBIDDEN) ?? []).filter((character) => !isMarkOf(text, character));
}

/** Returns the line at an offset if it has the field `name`; otherwise an empty text. */
function nameLine(text: string, offset: number): string {
  const end = text.indexOf('\n', offset);
  const line = text.slice(text.lastIndexOf('\n', offset) + 1, end === -1 ? text.length : end);
  return /^\s*["']?name["']?\s*:/.test(line) ? line : '';
}
