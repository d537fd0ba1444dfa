/** Whether a text holds a character that a terminal or a review page may act on. Line feeds are looked at apart. */
export function hasControl(text: string): boolean {
  return /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u.test(text);
}

/** Whether a runner would take a part of a text for a command: `::` at the start of a line, or `##[…]` and `##vso[…]` anywhere. */
export function hasLogCommand(text: string): boolean {
  return /^\s*::/m.test(text) || /##\w*\[/.test(text);
}
