/**
 * Strips the white space of HTTP from both ends (RFC 9110, §5.6.3); `trim` would also strip the byte 0xA0, which other hosts preserve.
 * The pattern runs in linear time, because it does not search for trailing spaces.
 */
export function trimmed(text: string): string {
  return /[^ \t](?:.*[^ \t])?/s.exec(text)?.[0] ?? '';
}
