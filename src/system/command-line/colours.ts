/** Returns whether to colour standard output (https://no-color.org, https://force-color.org). */
export function showsColours(): boolean {
  const { NO_COLOR, FORCE_COLOR } = process.env;
  if (NO_COLOR) return false;
  return FORCE_COLOR === undefined || FORCE_COLOR === '' ? process.stdout.isTTY : !/^(?:0|false)$/.test(FORCE_COLOR);
}
