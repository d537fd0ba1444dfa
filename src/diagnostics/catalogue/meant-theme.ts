import { quote } from '../quote.ts';
import { didYouMean } from '../suggest.ts';
import type { Fixable } from './entry.ts';

/** The theme that an unknown name was probably meant for. */
export interface MeantTheme extends Fixable {
  suggestion: string | undefined;
  /** Whether it is the same theme, by its id, under another name. */
  isRenamed: boolean;
}

/** The hint for the name of a theme that does not exist. */
export function meantTheme({ suggestion, isRenamed }: MeantTheme): string | undefined {
  return suggestion !== undefined && isRenamed
    ? `The theme has been renamed: write ${quote(suggestion)}.`
    : didYouMean(suggestion);
}
