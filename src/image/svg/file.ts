import type { Report } from '../../diagnostics/diagnostic.ts';
import { checkCharacters, decodeUtf8, type SourceFile } from '../../source/text.ts';
import { checkSvg, type CheckedSvg } from './check.ts';
import { LIMITS } from './limits.ts';

const REFUSED: CheckedSvg = { isAccepted: false, dimensions: undefined };

/** Checks an SVG as it is on disk, see {@link checkSvg}. */
export function checkSvgFile({ file, bytes }: SourceFile, report: Report): CheckedSvg {
  if (bytes.length > LIMITS.bytes) {
    report('svg/limit', { file }, { what: 'bytes', found: bytes.length, limit: LIMITS.bytes });
    return REFUSED;
  }
  const text = decodeUtf8({ file, bytes }, report);
  return text !== undefined && checkCharacters(file, asXml(text), report) ? checkSvg(file, text, report) : REFUSED;
}

/**
 * A text without what XML gives a meaning and other files may not hold: carriage returns alone, which are line feeds (XML 1.0,
 * §2.11), and the byte order mark that XMP begins its packets with (XMP Specification Part 1, §7.3.2). As long as it was.
 */
function asXml(text: string): string {
  return text.replaceAll(/\r(?!\n)/g, ' ').replaceAll(/<\?xpacket begin=(["'])\ufeff\1/g, '<?xpacket begin=$1 $1');
}
