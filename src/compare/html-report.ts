import { type Markup, markup } from '../document/html.ts';
import { reportPage } from '../document/report-page.ts';
import { count } from '../diagnostics/quote.ts';
import { merged, summary } from './format-text.ts';
import type { Pixels } from '../image/pixels.ts';
import { pngOf } from './png.ts';
import { type Compared, type Comparison, type Group, GROUPS, MAX_ROWS } from './result.ts';

/** The pixels of two images that differ. */
export interface ImagePixels {
  old: Pixels;
  new: Pixels;
}

/** Factor by which differences of pixels are shown. */
const AMPLIFIED = 8;
/** Characters of images in a report; further images are left out. */
const MAX_IMAGE_LENGTH = 40_000_000;

const STYLE = `
main { padding-bottom: 3rem; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; }
th, td { padding: .35rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: anywhere; min-width: 7rem; }
tbody th { min-width: 12rem; }
th { font-weight: 600; }
.reason { min-width: 14rem; overflow-wrap: normal; }
.scroll { overflow-x: auto; }
.trio { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 16rem), 1fr)); gap: .75rem; margin: .5rem 0 2rem; }
.trio figcaption { font-size: .8125rem; color: var(--soft); padding-bottom: .25rem; }
.ground { min-height: 0; padding: .75rem; border: 1px solid var(--line); }
.ground.dark { border: 1px solid var(--line); border-top: 0; }
.black { background: #000; }
.images { margin-top: 1rem; }
.images img { height: auto; }
`;

/** The images that differ, as a page shows them: as many as it has room for. */
export class ImageFigures {
  readonly #shown: Markup[] = [];
  #length = 0;
  #hidden = 0;

  add(compared: Compared, pixels: ImagePixels): void {
    if (this.#length >= MAX_IMAGE_LENGTH) {
      this.#hidden++;
      return;
    }
    const figures = trio(compared, pixels);
    this.#length += figures.text.length;
    this.#shown.push(figures);
  }

  get section(): Markup | string {
    if (this.#shown.length === 0) return '';
    const more =
      this.#hidden === 0 ? '' : markup`<p>${this.#hidden} more images are not shown: this file would be too large.</p>`;
    return markup`<h2>Images</h2><div class="images">${this.#shown}</div>${more}`;
  }
}

/** A report in one file: without script, and with images that were decoded and encoded again, so that none is the service's own. */
export function htmlReport(comparison: Comparison, images: ImageFigures, urls: { old: string; new: string }): string {
  const { compared, hints, notes, unused } = comparison;
  return reportPage({
    title: `Comparison: ${summary(comparison)}`,
    about: markup`OLD <code>${urls.old}</code>, NEW <code>${urls.new}</code>`,
    style: STYLE,
    main: markup`${hints.map((hint) => markup`<p>${hint}</p>`)}
${GROUPS.map((group) => groupTable(group, compared))}
${images.section}
${unused.length === 0 ? '' : markup`<h2>Accepted, but not different</h2><ul>${unused.map(({ what }) => markup`<li>${what}</li>`)}</ul>`}
<h2>Notes</h2>
<ul>${notes.map((note) => markup`<li>${note}</li>`)}</ul>
`,
  });
}

function groupTable(group: Group, all: readonly Compared[]): Markup | string {
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
      markup`<tr><th scope="row">${what}${times === 1 ? '' : ` (${times} times)`}</th><td>${old}</td><td>${now}</td><td class="reason">${accepted}</td></tr>
`,
  )}</tbody></table></div>${more === 0 ? '' : markup`<p>And ${count(more, 'more', 'more')} that differ.</p>`}`;
}

function trio({ what, old = '', new: now = '' }: Compared, { old: before, new: after }: ImagePixels): Markup {
  const isSameSize = before.width === after.width && before.height === after.height;
  return markup`<h3>${what}</h3><p>${old} → ${now}</p>
<div class="trio">${onBoth('OLD', what, before)}${onBoth('NEW', what, after)}${
    isSameSize
      ? markup`<figure><figcaption>Difference, amplified ${AMPLIFIED}×</figcaption><div class="ground black">${image(`Difference of ${what}`, differenceOf(before, after))}</div></figure>`
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
