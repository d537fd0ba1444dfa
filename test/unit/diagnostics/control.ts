/** Returns whether a text has a control character, other than a line feed, that affects a terminal or a review page. */
export function hasControl(text: string): boolean {
  return /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u.test(text);
}

/** Returns whether a CI runner would execute part of a text: `::` at the start of a line, or `##[…]` and `##vso[…]` anywhere. */
export function hasLogCommand(text: string): boolean {
  return /^\s*::/m.test(text) || /##\w*\[/.test(text);
}
