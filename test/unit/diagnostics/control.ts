/** Whether a text holds a character that a terminal or a review page may act on. Line feeds are looked at apart. */
export function hasControl(text: string): boolean {
  return /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u.test(text);
}
