/** The request headers that store the state of the rules. */
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

/** The part of the state that requests to the origin need. */
export const BACKEND_STATE: ReadonlySet<string> = new Set([
  'X-Themecast',
  'X-Themecast-File',
  'X-Themecast-Instead',
  'X-Themecast-Storage',
]);
