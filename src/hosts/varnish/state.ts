/** The headers in which a request keeps what the rules have made out. */
export const STATE = [
  '',
  '-Key',
  '-Theme',
  '-Format',
  '-Offered',
  '-JSON',
  '-HTML',
  '-Choice',
  '-Rendering',
  '-File',
  '-Instead',
  '-Storage',
].map((name) => `X-Themecast${name}`);

/** What those need that deal with the origin. */
export const BACKEND_STATE: ReadonlySet<string> = new Set([
  'X-Themecast',
  'X-Themecast-File',
  'X-Themecast-Instead',
  'X-Themecast-Storage',
]);
