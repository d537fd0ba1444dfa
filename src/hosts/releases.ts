/** Whether the builds are releases: both outputs then have their files below the link `current/`. */
export interface Releases {
  releases?: boolean | undefined;
}

/** Replaces paths in a README by those of the live release: `edge/nginx/` is `edge/current/nginx/`. */
export function withLivePaths(text: string, { releases = false }: Releases): string {
  return releases ? text.replace(/(?<![\w-])(dist|edge)\//g, '$1/current/') : text;
}

/**
 * The public root relative to `edge/<host>/`. For a release, relative to the target of the link: tools resolve the working directory to
 * `edge/releases/<id>/<host>/`.
 */
export function publicRoot({ releases = false }: Releases): string {
  return releases ? '../../../../dist/current' : '../../dist';
}
