import { quote } from '../quote.ts';
import { didYouMean } from '../suggest.ts';

/** The theme that a name of none was probably meant for. */
export interface MeantTheme {
  suggestion: string | undefined;
  /** Whether it is the same theme, by its id, under another name. */
  isRenamed: boolean;
}

/** What to write instead of the name of a theme that there is not. */
export function meantTheme({ suggestion, isRenamed }: MeantTheme): string | undefined {
  return suggestion !== undefined && isRenamed
    ? `The theme is called ${quote(suggestion)} now: write that.`
    : didYouMean(suggestion);
}
