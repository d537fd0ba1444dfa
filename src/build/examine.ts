import type { CheckOptions, CheckResult } from './api.ts';
import { byPlace, diagnosticOf, type Diagnostics, type Report } from '../diagnostics/diagnostic.ts';
import { adviseLogos } from '../document/logo-advice.ts';
import { publishedMedia } from '../document/media.ts';
import { renderThumbnails } from '../io/images/render.ts';
import type { RenderOptions, Shard } from '../io/images/render-jobs.ts';
import { diagnosedFiles, readTexts } from '../io/themes/texts.ts';
import type { Theme } from '../theme/resolve.ts';
import { withoutAccepted } from '../theme/without-accepted.ts';
import type { ReadThemes, UrlsByTheme } from './pipeline.ts';
import type { Resources, Run } from './resources.ts';

/** Decodes the images of some themes, gives advice on their logos, and lists what is published of them. */
export async function renderMedia(
  themes: readonly Theme[],
  { images, ahead }: Pick<ReadThemes, 'images'> & Partial<Pick<ReadThemes, 'ahead'>>,
  { cache, decoders, incremental, ...options }: Resources & Pick<RenderOptions, 'shard'>,
  mediaUrl: string,
  report: Report,
  onProgress: (done: number, all: number) => void = () => undefined,
) {
  const how = { cache, decoders, incremental, begun: ahead?.results, ...options };
  const { thumbnails, looks, ...counts } = await renderThumbnails(themes, images, how, report, onProgress);
  adviseLogos(themes, images, looks, report);
  return { ...counts, media: () => publishedMedia(themes, images, thumbnails, mediaUrl) };
}

/**
 * The checks of a build after those of texts: decodes the images, and points redirects to them.
 * @param redirected - writes the files of hosts again, with the redirects to images as they are published
 * @returns the result; and what was rendered and written, if there is no error
 */
export async function examine<Written>(
  read: ReadThemes,
  users: number,
  run: Run,
  { strict, decode = true, onProgress }: ExamineOptions,
  redirected: (urls: UrlsByTheme, report: Report) => Promise<Written>,
) {
  const { diagnostics } = run;
  const { report } = diagnostics;
  const checked = outcome(read, users, diagnostics, { strict });
  if (!checked.ok || !decode) return { result: checked };
  const rendering = await renderMedia(read.themes, read, run, read.site.media_url, report, onProgress);
  const images = diagnostics.hasErrors ? undefined : rendering.media();
  const urls = new Map(images?.themes.map(({ theme, urls: ofTheme }) => [theme.slug, ofTheme]));
  const written = images && read.redirects.length > 0 ? await redirected(urls, report) : undefined;
  const result = outcome(read, users, diagnostics, { strict }, true);
  return result.ok && images ? { result, rendered: { ...rendering, images }, written } : { result };
}

type ExamineOptions = Pick<CheckOptions, 'strict' | 'decode' | 'onProgress'>;

/** Decodes the images of a share of the themes into the cache, where a build finds them. Users are not read. */
export async function examineShare(
  read: ReadThemes,
  shard: Shard,
  run: Run,
  options: Pick<CheckOptions, 'strict' | 'onProgress'>,
): Promise<CheckResult> {
  const checked = outcome(read, 0, run.diagnostics, options);
  if (!checked.ok) return checked;
  const share = read.themes.filter((_, at) => at % shard.total === shard.index - 1);
  const { report } = run.diagnostics;
  await renderMedia(share, read, { ...run, shard }, read.site.media_url, report, options.onProgress);
  return outcome(read, 0, run.diagnostics, options);
}

/**
 * The result of the stages so far, without the warnings that themes accept.
 * @param isRendered - whether all stages have run, so that it is known which entries of `accept` have no warning
 */
export function outcome(
  { content, themes, sources }: Pick<ReadThemes, 'content' | 'themes' | 'sources'>,
  users: number,
  diagnostics: Diagnostics,
  { strict = false }: Pick<CheckOptions, 'strict'>,
  isRendered = false,
): CheckResult {
  const { remaining, unused } = withoutAccepted(diagnostics.sorted, sources);
  const reported = isRendered
    ? unused.map(({ location, ...entry }) => diagnosticOf('theme/accept-unused', location, entry))
    : [];
  const sorted = [...remaining, ...reported].toSorted(byPlace);
  return {
    diagnostics: sorted,
    ok: !diagnostics.hasErrors && !(strict && sorted.length > 0),
    texts: readTexts(diagnosedFiles(sorted, content)),
    themes: themes.length,
    users,
  };
}
