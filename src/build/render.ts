import type { CheckOptions, CheckResult } from './api.ts';
import type { Shard } from '../image/render-plan.ts';
import { renderThumbnails } from '../io/images/render.ts';
import { outcome } from './examine.ts';
import { readThemes, type ThemesOptions } from './pipeline.ts';
import { withResources } from './resources.ts';

/** Where the themes are, and what to render of them. */
export interface RenderShareOptions extends ThemesOptions, Pick<CheckOptions, 'strict' | 'cacheDir'> {
  /** The share of this process; everything without one. */
  shard: Shard | undefined;
  onProgress: (done: number, all: number) => void;
}

/** What was rendered into the cache: nothing if the themes have errors. */
export interface RenderedShare extends CheckResult {
  rendered: number;
  cached: number;
  /** How many images are left to the other shards. */
  left: number;
}

/** Checks the themes, without their users, and renders thumbnails into the cache. Publishes nothing. */
export async function render({ shard, strict, onProgress, ...options }: RenderShareOptions): Promise<RenderedShare> {
  const share = shard && `${shard.index}-of-${shard.total}`;
  return withResources({ ...options, shard: share }, async (run) => {
    const { diagnostics } = run;
    const read = await readThemes(options, run);
    const checked = outcome(read, 0, diagnostics, { strict });
    if (!checked.ok) return { ...checked, rendered: 0, cached: 0, left: 0 };
    const { themes, images, site } = read;
    const how = { ...run, limits: site.limits, shard };
    const { rendered, cached, left } = await renderThumbnails(themes, images, how, diagnostics.report, onProgress);
    return { ...outcome(read, 0, diagnostics, { strict }), rendered, cached, left };
  });
}
