import { CONFIG } from '../endpoint.ts';
import { type Markup, markup } from '../page/html.ts';
import type { Mode } from '../logo-choice.ts';
import type { Site } from '../../theme/site/site.ts';
import { stylesheet } from '../stylesheet.ts';
import type { Look } from '../variables.ts';
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
 * get a fixed result, because a frame does not inherit the mode of the page around it. Links that only open connections are cut: the policy
 * does not cover them.
 */
export function teamPage(html: string, look: Look, site: Pick<Site, 'roles'>, mode: Mode): string {
  const style = `<style>:root { color-scheme: ${mode} !important; }\n${stylesheet(look, site)}</style>`;
  return html
    .replace(LINK, (link) => (isStylesheetLink(link) ? style : CONNECTING.test(link) ? '' : link))
    .replace(/<html\b/i, `<html data-color-scheme="${mode}"`)
    .replace(/\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)/gi, (_, preferred: string) =>
      preferred.toLowerCase() === mode ? '(min-width: 0)' : '(max-width: 0)',
    );
}

const LINK = /<link\b[^<>]*>/gi;
/** Matches the relations by which a browser connects before it needs a file (https://html.spec.whatwg.org/#linkTypes). */
const CONNECTING = /\brel\s*=\s*["']?[^"'>]*\b(?:preconnect|dns-prefetch|prefetch|preload|modulepreload|prerender)\b/i;

function isStylesheetLink(link: string): boolean {
  return link.includes(CONFIG.path);
}

/** Whether `preview.html` links the stylesheet of the service; without it, the page shows no theme. */
export function linksStylesheet(html: string): boolean {
  return [...html.matchAll(LINK)].some(([link]) => isStylesheetLink(link));
}

/** Returns the page in both modes, each in a frame. @param content - returns the attribute of a frame: `src` or `srcdoc`, with its value */
export function teamPages(content: (mode: Mode) => Markup): Markup {
  const frames = MODES.map((mode) => {
    const title = mode === 'light' ? 'Light mode' : 'Dark mode';
    return markup`<figure class="${mode}"><div class="scroll"><iframe sandbox="" title="${title}" ${content(mode)}></iframe></div></figure>\n`;
  });
  return markup`<div class="screens">
${frames}</div>
`;
}
