import { CONFIG } from '../endpoint.ts';
import { type Markup, markup } from '../html.ts';
import type { Mode } from '../logo-choice.ts';
import type { ThemeRecord } from '../record.ts';
import { stylesheet } from '../stylesheet.ts';
import { MODES } from './mock-page.ts';

/**
 * The policy of `preview.html`, which anyone may have written: nothing in it runs, and it loads only images.
 * @param images - the sources of images, besides `data:`
 */
export function teamPagePolicy(images: readonly string[]): string {
  return `default-src 'none'; img-src data: ${images.join(' ')}; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox`;
}

/**
 * `preview.html` in a theme and a mode. Its link to the stylesheet of the service is replaced by the theme, and its questions for the mode
 * by their answer: a frame does not get the mode from the page around it.
 */
export function teamPage(html: string, record: ThemeRecord, mode: Mode): string {
  const style = `<style>:root { color-scheme: ${mode} !important; }\n${stylesheet(record)}</style>`;
  return html
    .replace(/<link\b[^<>]*>/gi, (link) => (link.includes(CONFIG.path) ? style : link))
    .replace(/<html\b/i, `<html data-color-scheme="${mode}"`)
    .replace(/\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)/gi, (_, asked: string) =>
      asked.toLowerCase() === mode ? '(min-width: 0)' : '(max-width: 0)',
    );
}

/** Returns the page in both modes, each in a frame. @param content - the attribute of a frame: `src` or `srcdoc`, with its value */
export function teamPages(content: (mode: Mode) => Markup, prefix = ''): Markup {
  const frames = MODES.map((mode) => {
    const title = `${prefix}${mode === 'light' ? 'Light mode' : 'Dark mode'}`;
    return markup`<figure class="${mode}"><div class="scroll"><iframe sandbox="" title="${title}" ${content(mode)}></iframe></div></figure>\n`;
  });
  return markup`<div class="screens">
${frames}</div>
`;
}
