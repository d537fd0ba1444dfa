import { BASE_STYLE } from '../document/base-style.ts';
import { FORM_STYLE } from './form-style.ts';
import { MOCK_STYLE } from './mock-style.ts';

/** The style sheet of the development server: the gallery, its forms, and what the script shows on pages of the service. */
export const GALLERY_STYLE = `${BASE_STYLE}
:root { --field: #7a8497; --on-link: #fff; --warn: #fff0cc; --warn-text: #5c3d00; --bad: #fdeaea; --bad-text: #a3151c; --change: #dbe8ff; }
@media (prefers-color-scheme: dark) {
  :root { --field: #7f8a9e; --on-link: #0c1626; --warn: #46360f; --warn-text: #ffdf94; --bad: #3a1a1f; --bad-text: #ffa8ad; --change: #1f3a66; }
}
[hidden] { display: none !important; }
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 1rem; top: -10rem; z-index: 2; padding: .5rem 1rem; background: var(--card); border-radius: 6px; }
.skip:focus { top: .5rem; }
/* Wider than published pages are, so that the navigation stays where it is from page to page. */
header, main, footer, .dev { max-width: 82rem; }
.dev { margin: 0 auto; padding: 0 1.25rem; }
main:focus { outline: none; }
.pages { padding: .9rem 0; margin-bottom: .75rem; border-bottom: 1px solid var(--line); font-size: .9rem; }
.pages ul { list-style: none; display: flex; flex-wrap: wrap; gap: .35rem 1.25rem; }
.pages a[aria-current] { color: inherit; font-weight: 600; text-decoration: none; }
.pages + .trail, .dev + header .trail { padding: .25rem 0 .75rem; }
.row { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem; }
.row h1 { min-width: 0; }
.row + .row { margin-top: .5rem; }
.links { gap: .5rem 1.25rem; font-size: .9rem; }
header .links { margin-top: .75rem; }
.panel.flush { padding: 0; overflow: hidden; }
.panel.row { align-items: flex-start; gap: .75rem 1.25rem; margin-top: 1.5rem; }
.panel.row .field { flex: 1 1 14rem; }
.panel.row > button { margin-top: 1.6rem; }
.panel > h3:first-child { margin-top: 0; }
.panel h3 { margin: 1.75rem 0 .6rem; font-size: 1rem; }
.bad { background: var(--bad); color: var(--bad-text); font-weight: 600; }
.warn { background: var(--warn); color: var(--warn-text); font-weight: 600; }
.problems { margin: 1.5rem 0; padding: 1.25rem; border: 2px solid var(--bad-text); border-radius: 8px; background: var(--bad); }
.problems h2, .overlay h2 { margin: 0 0 .25rem; color: var(--bad-text); }
.dev .problems { margin-bottom: 1.25rem; }
.diagnostics { margin-top: .75rem; white-space: pre-wrap; overflow-wrap: anywhere; padding: .85rem 1rem; max-height: 26rem; overflow: auto; background: var(--card); border: 1px solid var(--line); border-radius: 6px; }
.diagnostics:focus-visible { outline-offset: -3px; }
.overlay { width: min(64rem, calc(100% - 2rem)); max-height: calc(100% - 2rem); padding: 1.5rem; overflow: auto; background: var(--page); color: var(--text); border: 2px solid var(--bad-text); border-radius: 10px; }
.overlay .diagnostics { max-height: 60vh; margin-bottom: 1rem; }
/* A place that opens in the editor. */
.diagnostics button, .as-link { display: inline; padding: 0; border: 0; border-radius: 0; background: none; color: var(--link); font: inherit; font-weight: 600; text-align: left; text-decoration: underline; text-underline-offset: .2em; overflow-wrap: anywhere; }
.bar { position: sticky; bottom: 0; z-index: 1; display: flex; flex-wrap: wrap; align-items: center; justify-content: center; gap: .5rem 1rem; padding: .6rem 1.25rem; background: var(--warn); color: var(--warn-text); border-top: 1px solid var(--field); }
.bar.bad { background: var(--bad); color: var(--bad-text); font-weight: 400; }
.overlay::backdrop { background: rgb(0 0 0 / .55); }

.tools { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .75rem 1.5rem; margin: 1.5rem 0 1.25rem; }
.tools .row + .row { margin: 0; }
.tools input { flex: 1 1 9rem; min-width: 0; }
section > .about { font-size: .9rem; }
main > form:first-child { margin-top: 1.5rem; }
.tools [role="status"] { color: var(--soft); font-size: .9rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); gap: 1.25rem; }
.card { position: relative; display: flex; flex-direction: column; background: var(--card); border: 1px solid var(--line); border-radius: 8px; overflow: hidden; content-visibility: auto; contain-intrinsic-size: auto 20rem; }
.card:hover { border-color: var(--field); }
.card .pair { flex: none; }
.card .ground { min-height: 6.5rem; padding: 1rem; }
.strip { display: block; width: 100%; height: calc(1rem + 2px); border: solid var(--line); border-width: 1px 0; forced-color-adjust: none; }
.card-banners { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 1px; background: var(--line); border-bottom: 1px solid var(--line); }
.card-banners img { width: 100%; height: auto; aspect-ratio: 2 / 1; object-fit: cover; background: var(--inset); }
/* What a theme lacks, in its place. */
.missing { display: flex; flex-direction: column; gap: .1rem; min-width: 0; padding: .4rem .6rem; border: 2px dashed currentColor; border-radius: 6px; font-size: .75rem; line-height: 1.35; font-weight: 400; text-align: left; overflow-wrap: anywhere; }
.missing code { font-size: inherit; font-weight: 700; }
.missing > span > code { font-weight: 400; }
.card .missing { font-size: .6875rem; }
.card > .missing { margin: .5rem 1rem; }
.card-banners .missing { background: var(--card); border-radius: 0; }
.banners .missing { flex: 1; min-height: 8rem; justify-content: center; margin: .75rem; }
.palette .missing { height: 3.25rem; justify-content: center; }
.profile > .missing { min-height: 6rem; margin: 0 0 1rem; justify-content: center; border-radius: 0; }
.tile > .missing { min-height: 5rem; justify-content: center; border-radius: 0; }
.missing + .palette { margin-top: .75rem; }
.plain { list-style: none; }
.card h2 { margin: .9rem 1rem .4rem; font-size: 1.1rem; overflow-wrap: anywhere; }
.card h2 a { color: inherit; text-decoration: none; }
.card h2 a:hover { text-decoration: underline; }
/* The whole card leads to its theme; other links lie above. */
.card h2 a::after { content: ""; position: absolute; inset: 0; border-radius: 8px; }
.card h2 a:focus-visible { outline: none; }
.card h2 a:focus-visible::after { outline: 3px solid var(--link); outline-offset: -3px; }
.card p { padding: 0 1rem; margin: 0; }
.card p a { position: relative; }
.card code { overflow-wrap: anywhere; }
.card .users { flex: 1; margin: .5rem 0; color: var(--soft); font-size: .875rem; }
.card .links { padding-top: .6rem; padding-bottom: .6rem; border-top: 1px solid var(--line); }

.reasons { margin: .75rem 0; font-size: .9rem; }
.reasons div { display: grid; grid-template-columns: 8.5rem minmax(0, 1fr); padding: .35rem 0; border-top: 1px solid var(--line); }
.reasons dt { color: var(--soft); }
.reasons dd { grid-column: 2; overflow-wrap: anywhere; }
#result { overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  .dev { padding: 0 1rem; }
  .reasons div { grid-template-columns: minmax(0, 1fr); }
  .reasons dd { grid-column: 1; }
  .panel.row .field { flex-basis: 100%; }
  .panel.row > button { margin-top: 0; }
}
${FORM_STYLE}${MOCK_STYLE}`;
