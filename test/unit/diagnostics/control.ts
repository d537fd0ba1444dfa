/** Checks for a character, other than a line feed, that a terminal or a review page may act on. */
export function hasControl(text: string): boolean {
  return /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u.test(text);
}

/** Checks for a text that a runner would execute: `::` at the start of a line, or `##[…]` and `##vso[…]` anywhere. */
export function hasLogCommand(text: string): boolean {
  return /^\s*::/m.test(text) || /##\w*\[/.test(text);
}
