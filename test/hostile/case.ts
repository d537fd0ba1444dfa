import type { Code } from '../../src/index.ts';

/** One themes folder that is wrong (or only looks so), as an editor could commit it. */
export interface Case {
  /** What is wrong, in a few words; unique. */
  about: string;
  /** Written over the base themes folder: content by path in it. */
  files?: Readonly<Record<string, string | Buffer>>;
  /** What files cannot say. */
  make?: (themesDir: string) => void | Promise<void>;
  /** The finding that is expected; `fine` if the build goes on. */
  code: Code | 'fine';
  /** Its place: `meadow/theme.yaml:4:7`, relative to the themes folder, or a path alone. Not asked where it is fine. */
  at?: string;
}

/** Cases by their number in the list of bad inputs that the product has to stand. */
export type Cases = Readonly<Record<number, readonly Case[]>>;

/** A theme.yaml of the second theme. Fields replace those of the base; a value is written as it is. */
export function meadow(fields: Readonly<Record<string, string>> = {}, extra = ''): Record<string, string> {
  const all = { extends: 'harbor', id: '2', name: 'Meadow', logo: 'logo.svg', ...fields };
  const lines = Object.entries(all).map(([field, value]) => `${field}: ${value}\n`);
  return { 'meadow/theme.yaml': lines.join('') + extra };
}

/** The second theme with another picture as its logo: the finding is at the field. */
export function logo(
  about: string,
  name: string,
  bytes: string | Buffer,
  code: Case['code'],
  at = 'meadow/theme.yaml:4:7',
): Case {
  return { about, files: { ...meadow({ logo: name, logo_inverse: 'logo.svg' }), [`meadow/${name}`]: bytes }, code, at };
}
