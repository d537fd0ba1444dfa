import type { Report } from '../../diagnostics/diagnostic.ts';
import { edited } from '../../source/edits.ts';
import { checkCharacters, decodeUtf8, type SourceFile } from '../../source/text.ts';
import { checkSvg, type CheckedSvg } from './check.ts';
import { LIMITS } from './limits.ts';

/** Checks an SVG from the disk, see {@link checkSvg}; returns nothing if its text cannot be read. */
export function checkSvgFile({ file, bytes }: SourceFile, report: Report): CheckedSvg | undefined {
  if (bytes.length > LIMITS.bytes) {
    report('svg/limit', { file }, { what: 'bytes', limit: LIMITS.bytes });
    return undefined;
  }
  const text = decodeUtf8({ file, bytes }, report);
  return text !== undefined && checkCharacters(file, asXml(text), report) ? checkSvg(file, text, report) : undefined;
}

/** Removes the comments and metadata of an SVG; returns the same bytes if it has none. */
export function withoutMetadata(bytes: Buffer, { unpublished }: CheckedSvg): Buffer {
  if (unpublished.length === 0) return bytes;
  // A byte order mark is not part of the text.
  const start = bytes.indexOf('\ufeff') === 0 ? 3 : 0;
  const edits = unpublished.map(([from, end]) => ({ start: from, end, text: '' }));
  return Buffer.concat([bytes.subarray(0, start), Buffer.from(edited(bytes.toString('utf8', start), edits))]);
}

/**
 * Replaces characters that are valid in XML, but not in other text files. These are single carriage returns, which XML reads as line feeds (XML
 * 1.0, §2.11), and the byte order mark at the start of XMP packets (XMP Specification Part 1, §7.3.2). The length stays the same.
 */
function asXml(text: string): string {
  return text.replaceAll(/\r(?!\n)/g, ' ').replaceAll(/<\?xpacket begin=(["'])\ufeff\1/g, '<?xpacket begin=$1 $1');
}
