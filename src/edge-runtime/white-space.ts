/**
 * Text without the white space of HTTP around it (RFC 9110, §5.6.3). `trim` would take a byte 0xA0 away as well, which other hosts
 * keep. The pattern takes linear time, unlike one that looks for blanks at the end.
 */
export function trimmed(text: string): string {
  return /[^ \t](?:.*[^ \t])?/s.exec(text)?.[0] ?? '';
}
