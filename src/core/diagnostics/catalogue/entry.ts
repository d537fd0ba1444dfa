/** An entry of the catalogue. */
export interface Entry<A> {
  severity: 'error' | 'warning';
  /** The meaning in a phrase, for the documentation. */
  about: string;
  /** The problem in a sentence, with field, value and units. */
  message: (args: A) => string;
  /** The remedy. */
  hint?: (args: A) => string | undefined;
}

type Texts<A> = Omit<Entry<A>, 'severity' | 'about'>;

export function error<A>(about: string, texts: Texts<A>): Entry<A> {
  return { severity: 'error', about, ...texts };
}

export function warning<A>(about: string, texts: Texts<A>): Entry<A> {
  return { severity: 'warning', about, ...texts };
}
