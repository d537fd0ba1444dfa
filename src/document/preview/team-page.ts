import { CONFIG } from '../endpoint.ts';
import { type Markup, markup } from '../html.ts';
import type { Mode } from '../logo-choice.ts';
import type { ThemeRecord } from '../record.ts';
import { stylesheet } from '../stylesheet.ts';
import { MODES } from './mock-page.ts';

/**
 * Returns the Content-Security-Policy of `preview.html`. The page may be untrusted: it may load only images, and run no code.
 * @param images - sources of images, besides `data:`
 */
export function teamPagePolicy(images: readonly string[]): string {
  return `default-src 'none'; img-src data: ${images.join(' ')}; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox`;
}

/**
 * Returns `preview.html` in a theme and a mode. The theme replaces the link to the stylesheet of the service. Media queries for the mode
 * get a fixed result, because a frame does not inherit the mode of the page around it.
 */
export function teamPage(html: string, record: ThemeRecord, mode: Mode): string {
  const style = `<style>:root { color-scheme: ${mode} !important; }\n${stylesheet(record)}</style>`;
  return html
    .replace(/<link\b[^<>]*>/gi, (link) => (link.includes(CONFIG.path) ? style : link))
    .replace(/<html\b/i, `<html data-color-scheme="${mode}"`)
    .replace(/\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)/gi, (_, preferred: string) =>
      preferred.toLowerCase() === mode ? '(min-width: 0)' : '(max-width: 0)',
    );
}

/** Returns the page in both modes, each in a frame. @param content - returns the attribute of a frame: `src` or `srcdoc`, with its value */
export function teamPages(content: (mode: Mode) => Markup, prefix = ''): Markup {
  const frames = MODES.map((mode) => {
    const title = `${prefix}${mode === 'light' ? 'Light mode' : 'Dark mode'}`;
    return markup`<figure class="${mode}"><div class="scroll"><iframe sandbox="" title="${title}" ${content(mode)}></iframe></div></figure>\n`;
  });
  return markup`<div class="screens">
${frames}</div>
`;
}
