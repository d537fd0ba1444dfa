import type { preview } from './preview.ts';
import type { ShownTheme } from './drafts.ts';

export type Attempt = Awaited<ReturnType<typeof preview>>;

/** What the pages show: the last successful build, or else each theme as far as it is valid. */
export interface View extends Pick<
  Attempt,
  'site' | 'rules' | 'slugs' | 'countsByTheme' | 'found' | 'locations' | 'find' | 'state'
> {
  /** Pages reload when it changes. */
  build: number;
  themes: readonly ShownTheme[];
}

/**
 * What the pages show of an attempt with errors: each theme as far as it is valid; one that has been complete, as it was then.
 * @param good - the themes of the last successful build
 * @param before - what is shown now; if nothing looks different, no page reloads
 */
export function viewOf(
  attempt: Attempt,
  good: ReadonlyMap<string, ShownTheme>,
  before: View | undefined,
  nextBuild: () => number,
): View {
  const themes = attempt.themes.map((theme) => (theme.missing.size === 0 ? theme : (good.get(theme.slug) ?? theme)));
  const isSame = before !== undefined && looks(before.themes) === looks(themes);
  return { ...attempt, themes, build: isSame ? before.build : nextBuild() };
}

/** What pages show of themes, apart from their users and diagnostics. */
function looks(themes: readonly ShownTheme[]): string {
  return JSON.stringify(themes.map(({ slug, record, missing }) => [slug, record, [...missing]]));
}
