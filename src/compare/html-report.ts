import { createHash } from 'node:crypto';
import { BASE_STYLE } from '../document/base-style.ts';
import { type Markup, markup, Markup as Safe } from '../document/html.ts';
import { count } from '../diagnostics/quote.ts';
import { merged, summary } from './format-text.ts';
import type { Pixels } from '../image/pixels.ts';
import { pngOf } from './png.ts';
import { type Compared, type Comparison, type Group, GROUPS, MAX_ROWS } from './result.ts';

/** The pixels of two images that are not the same bytes. */
export interface ShownImages {
  what: string;
  pixels: { old: Pixels; new: Pixels } | undefined;
}

/** Factor by which differences of pixels are shown. */
const AMPLIFIED = 8;
/** Bytes of images in a report; those of further images are left out. */
const MAX_IMAGE_BYTES = 40_000_000;

const STYLE = `${BASE_STYLE}
main { padding-bottom: 3rem; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; }
th, td { padding: .35rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: anywhere; min-width: 7rem; }
tbody th { min-width: 12rem; }
th { font-weight: 600; }
.reason { min-width: 14rem; overflow-wrap: normal; }
summary { cursor: pointer; padding: .5rem 0; }
.scroll { overflow-x: auto; }
.trio { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 16rem), 1fr)); gap: .75rem; margin: .5rem 0 2rem; }
.trio figcaption { font-size: .8125rem; color: var(--soft); padding-bottom: .25rem; }
.ground { min-height: 0; padding: .75rem; border: 1px solid var(--line); }
.ground.dark { border: 1px solid var(--line); border-top: 0; }
.black { background: #000; }
.images { margin-top: 1rem; }
.images img { height: auto; }
`;

/** A report in one file: without script, and with images that were decoded and encoded again, so that none is the service's own. */
export function htmlReport(
  comparison: Comparison,
  images: readonly ShownImages[],
  urls: { old: string; new: string },
): string {
  const hash = createHash('sha256').update(STYLE).digest('base64');
  const policy = `default-src 'none'; img-src data:; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const title = `Comparison: ${summary(comparison)}`;
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Safe(STYLE)}</style>
</head>
<body>
<header><h1>${summary(comparison)}</h1>
<p class="about">OLD <code>${urls.old}</code>, NEW <code>${urls.new}</code></p></header>
<main>
${[...comparison.warnings, ...comparison.hints].map((hint) => markup`<p>${hint}</p>`)}
${GROUPS.map((group) => groupTable(group, comparison.compared, namesOf(comparison)))}
${imageSection(comparison.compared, images, namesOf(comparison))}
${comparison.unused.length === 0 ? '' : markup`<h2>Accepted, but not different</h2><ul>${comparison.unused.map(({ what }) => markup`<li>${what}</li>`)}</ul>`}
<h2>Notes</h2>
<ul>${comparison.notes.map((note) => markup`<li>${note}</li>`)}</ul>
</main>
</body>
</html>
`;
  return page.text;
}

/** Names of themes by what their fields and images are called: `theme 3`. */
type Names = ReadonlyMap<string, string>;

function namesOf({ names }: Comparison): Names {
  return new Map([...names].map(([id, name]) => [`theme ${id}`, name]));
}

/** What was compared, with the name of the theme. */
function titleOf(what: string, names: Names): string {
  const name = names.get(/^theme \S+/.exec(what)?.[0] ?? '');
  return name === undefined ? what : `${what} (${name})`;
}

function groupTable(group: Group, all: readonly Compared[], names: Names): Markup | string {
  const differing = all.filter((result) => result.group === group && result.class === 'differs');
  if (differing.length === 0) return '';
  const isAccepted = ({ accepted }: Compared): boolean => accepted !== undefined;
  const open = differing.filter((difference) => !isAccepted(difference));
  const more = Math.max(0, open.length - MAX_ROWS);
  const ordered = [
    ...open.slice(0, MAX_ROWS).map((result) => ({ ...result, times: 1 })),
    ...merged(differing.filter(isAccepted)).slice(0, MAX_ROWS),
  ];
  return markup`<h2>Differences: ${group}</h2>
<div class="scroll" role="region" aria-label="Differences: ${group}" tabindex="0"><table>
<thead><tr><th scope="col">What</th><th scope="col">OLD</th><th scope="col">NEW</th><th scope="col" class="reason">Accepted</th></tr></thead>
<tbody>${ordered.map(
    ({ what, old = '', new: now = '', accepted = 'no', times }) =>
      markup`<tr><th scope="row">${titleOf(what, names)}${times === 1 ? '' : ` (${times} times)`}</th><td>${old}</td><td>${now}</td><td class="reason">${accepted}</td></tr>
`,
  )}</tbody></table></div>${more === 0 ? '' : markup`<p>And ${count(more, 'more', 'more')} that differ.</p>`}`;
}

/** Images that differ come first; those that are equal are shown smaller, once they are unfolded. */
function imageSection(compared: readonly Compared[], images: readonly ShownImages[], names: Names): Markup | string {
  const results = new Map(compared.map((result) => [result.what, result]));
  const rank = ({ what }: ShownImages): number => (results.get(what)?.class === 'differs' ? 0 : 1);
  let left = MAX_IMAGE_BYTES;
  let hidden = 0;
  const shown = images
    .toSorted((a, b) => rank(a) - rank(b))
    .flatMap((image) => {
      const result = results.get(image.what);
      if (image.pixels === undefined || result === undefined) return [];
      const figures = trio(result, image.pixels, titleOf(image.what, names));
      left -= figures.text.length;
      if (left >= 0) return [{ figures, isEqual: result.class === 'equal' }];
      hidden++;
      return [];
    });
  if (shown.length === 0) return '';
  const rest = hidden === 0 ? '' : markup`<p>${hidden} more images are not shown: this file would be too large.</p>`;
  const [equal, others] = [true, false].map((wanted) =>
    shown.flatMap(({ figures, isEqual }) => (isEqual === wanted ? [figures] : [])),
  );
  const folded =
    equal === undefined || equal.length === 0
      ? ''
      : markup`<details><summary>${count(equal.length, 'image')} of other bytes, equal within the tolerance</summary>${equal}</details>`;
  return markup`<h2>Images</h2><div class="images">${others ?? []}${folded}</div>${rest}`;
}

function trio(
  { what, class: kind, old = '', new: now = '' }: Compared,
  pixels: { old: Pixels; new: Pixels },
  title: string,
): Markup {
  const shrink = (image: Pixels): Pixels => (kind === 'equal' ? shrunk(image) : image);
  const { old: before, new: after } = pixels;
  const isSameSize = before.width === after.width && before.height === after.height;
  return markup`<h3>${title}</h3><p>${kind}: ${old} → ${now}</p>
<div class="trio">${onBoth('OLD', what, shrink(before))}${onBoth('NEW', what, shrink(after))}${
    isSameSize
      ? markup`<figure><figcaption>Difference, amplified ${AMPLIFIED}×</figcaption><div class="ground black">${image(`Difference of ${what}`, shrink(differenceOf(before, after)))}</div></figure>`
      : ''
  }</div>`;
}

function onBoth(side: string, what: string, pixels: Pixels): Markup {
  const source = image(`${side} ${what}`, pixels);
  return markup`<figure><figcaption>${side}</figcaption><div class="ground light">${source}</div><div class="ground dark">${source}</div></figure>`;
}

function image(name: string, pixels: Pixels): Markup {
  const { width, height } = pixels;
  return markup`<img alt="${name}" width="${width}" height="${height}" src="data:image/png;base64,${pngOf(pixels).toString('base64')}">`;
}

/** The distance of every pixel, alpha included, amplified, as a grey. */
function differenceOf(before: Pixels, after: Pixels): Pixels {
  const rgba = new Uint8Array(before.rgba.length);
  for (let at = 0; at < rgba.length; at += 4) {
    let distance = 0;
    for (let channel = 0; channel < 4; channel++) {
      const weight = channel === 3 ? 1 : Math.max(before.rgba[at + 3] ?? 0, after.rgba[at + 3] ?? 0) / 255;
      const apart = Math.abs((before.rgba[at + channel] ?? 0) - (after.rgba[at + channel] ?? 0));
      distance = Math.max(distance, apart * weight);
    }
    const grey = Math.min(255, Math.round(distance * AMPLIFIED));
    rgba.set([grey, grey, grey, 255], at);
  }
  return { ...before, rgba };
}

/** Longest side of an image that is equal, in pixels. */
const SMALL = 160;

/** An image with some of its rows and columns: good enough to recognise it. */
function shrunk(pixels: Pixels): Pixels {
  const { width, height, rgba } = pixels;
  const step = Math.ceil(Math.max(width, height) / SMALL);
  if (step === 1) return pixels;
  const [w, h] = [Math.ceil(width / step), Math.ceil(height / step)];
  const small = new Uint8Array(w * h * 4);
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++) {
      const from = (y * width + x) * step * 4;
      small.set(rgba.subarray(from, from + 4), (y * w + x) * 4);
    }
  return { width: w, height: h, rgba: small };
}
