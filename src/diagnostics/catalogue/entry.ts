/** One row of the catalogue. */
export interface Entry<A> {
  severity: 'error' | 'warning';
  /** What it means, in one phrase, for the documentation. */
  about: string;
  /** One sentence: what is wrong, naming field and value, with units. */
  message: (args: A) => string;
  /** What to do about it. */
  hint?: (args: A) => string | undefined;
}

type Texts<A> = Omit<Entry<A>, 'severity' | 'about'>;

export function error<A>(about: string, texts: Texts<A>): Entry<A> {
  return { severity: 'error', about, ...texts };
}

export function warning<A>(about: string, texts: Texts<A>): Entry<A> {
  return { severity: 'warning', about, ...texts };
}
