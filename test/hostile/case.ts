import type { Code } from '../../src/index.ts';

/** A themes folder with one error (or an apparent one), as an editor could commit it. */
export interface Case {
  /** A short, unique description. */
  about: string;
  /** Files written over the base themes folder, by path. */
  files?: Readonly<Record<string, string | Buffer>>;
  /** Changes that files cannot express. */
  make?: (themesDir: string) => void | Promise<void>;
  /** The expected code; `fine` if the build succeeds. */
  code: Code | 'fine';
  /** The expected location: `meadow/theme.yaml:4:7`, relative to the themes folder, or a path alone. Unused if the build succeeds. */
  at?: string;
}

/** A theme.yaml of the second theme. Fields replace those of the base; values are written verbatim. */
export function meadow(fields: Readonly<Record<string, string>> = {}, extra = ''): Record<string, string> {
  const all = { extends: 'harbor', id: '2', name: 'Meadow', logo: 'logo.svg', ...fields };
  const lines = Object.entries(all).map(([field, value]) => `${field}: ${value}\n`);
  return { 'meadow/theme.yaml': lines.join('') + extra };
}

/** The second theme with another image as its logo; the diagnostic points at the field. */
export function logo(
  about: string,
  name: string,
  bytes: string | Buffer,
  code: Case['code'],
  at = 'meadow/theme.yaml:4:7',
): Case {
  return { about, files: { ...meadow({ logo: name, logo_inverse: 'logo.svg' }), [`meadow/${name}`]: bytes }, code, at };
}
