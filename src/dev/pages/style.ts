import { BASE_STYLE } from '../../document/base-style.ts';
import { BACKGROUNDS } from '../../image/backgrounds.ts';
import { MOCK_STYLE } from '../../preview/mock-style.ts';

/** The style sheet of the development server, and of what it adds to pages of the service. */
export const DEV_STYLE = `${BASE_STYLE}${MOCK_STYLE}:root { --field: #7a8497; --on-link: #fff; --warn: #fff0cc; --warn-text: #5c3d00; --bad: #fdeaea; --bad-text: #a3151c; --change: #dbe8ff; }
@media (prefers-color-scheme: dark) {
  :root { --field: #7f8a9e; --on-link: #0c1626; --warn: #46360f; --warn-text: #ffdf94; --bad: #3a1a1f; --bad-text: #ffa8ad; --change: #1f3a66; }
}
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 1rem; top: -10rem; z-index: 2; padding: .5rem 1rem; background: var(--card); border-radius: 6px; }
.skip:focus { top: .5rem; }
/* Wider than published pages are, so that the navigation stays where it is from page to page. */
header, main, footer, .dev { max-width: 82rem; }
.studio header, .studio main, .studio footer { max-width: 104rem; }
.dev { margin: 0 auto; padding: 0 1.25rem; }
main:focus { outline: none; }
.pages { padding: .9rem 0; margin-bottom: .75rem; border-bottom: 1px solid var(--line); font-size: .9rem; }
.pages ul { list-style: none; display: flex; flex-wrap: wrap; gap: .35rem 1.25rem; }
.pages a[aria-current] { color: inherit; font-weight: 600; text-decoration: none; }
.pages + .trail { padding: .25rem 0 .75rem; }
.row { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem; }
.row h1 { min-width: 0; }
.row + .row { margin-top: .5rem; }
.links { gap: .5rem 1.25rem; margin-top: .75rem; font-size: .9rem; }
.panel { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 1.25rem; }
.bad { background: var(--bad); color: var(--bad-text); font-weight: 600; }
.warn { background: var(--warn); color: var(--warn-text); font-weight: 600; }

button, .button, input, select { font: inherit; border-radius: 6px; border: 1px solid var(--field); }
button, .button { display: inline-block; padding: .4rem 1rem; border-color: var(--link); background: var(--link); color: var(--on-link); font-weight: 600; text-decoration: none; cursor: pointer; }
button.quiet, .button.quiet { background: transparent; color: var(--link); }
button:hover, .button:hover { text-decoration: underline; }
button:disabled { opacity: .5; cursor: default; text-decoration: none; }
button.danger { border-color: var(--bad-text); color: var(--bad-text); }
.as-link, .diagnostics button { display: inline; padding: 0; border: 0; border-radius: 0; background: none; color: var(--link); text-align: left; text-decoration: underline; text-underline-offset: .2em; overflow-wrap: anywhere; }
input, select { max-width: 100%; padding: .4rem .7rem; background: var(--card); color: var(--text); }
input[type="checkbox"] { width: 1.15rem; height: 1.15rem; margin: 0; accent-color: var(--link); vertical-align: -.2em; }
input[type="file"] { padding: .25rem; }
input::file-selector-button { margin-right: .6rem; padding: .15rem .7rem; font: inherit; font-size: .9rem; background: var(--badge); color: var(--text); border: 1px solid var(--field); border-radius: 4px; cursor: pointer; }
input[type="color"] { width: 3rem; height: 2.25rem; padding: .2rem; flex: none; }
.colour { display: flex; gap: .4rem; }
.colour input[type="text"] { flex: 1; min-width: 0; }
[aria-invalid="true"] { border-color: var(--bad-text); border-width: 2px; }
label { font-weight: 600; font-size: .9rem; }
.field { min-width: 0; display: flex; flex-direction: column; gap: .25rem; }
.error { color: var(--bad-text); font-size: .875rem; font-weight: 600; overflow-wrap: anywhere; }
.note { color: var(--warn-text); font-size: .8125rem; }
.notice { margin-bottom: 1rem; padding: .6rem 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--card); }

.problems { position: sticky; top: 0; z-index: 2; width: min(79.5rem, calc(100% - 2.5rem)); max-height: 75vh; margin: 1rem auto; padding: .5rem 1.25rem; overflow: auto; border: 2px solid var(--bad-text); border-radius: 8px; background: var(--bad); }
.studio .problems { width: min(101.5rem, calc(100% - 2.5rem)); }
.problems h2 { display: inline; color: var(--bad-text); }
.diagnostics { margin: .75rem 0; white-space: pre-wrap; overflow-wrap: anywhere; padding: .85rem 1rem; max-height: 26rem; overflow: auto; background: var(--card); border: 1px solid var(--line); border-radius: 6px; }
.diagnostics:focus-visible { outline-offset: -3px; }
.toast { position: fixed; left: 50%; bottom: 1.1rem; z-index: 3; translate: -50% 0; display: flex; align-items: center; gap: 1rem; width: max-content; max-width: calc(100% - 2rem); padding: .55rem 1rem; border-radius: 10px; background: var(--text); color: var(--page); opacity: 0; pointer-events: none; transition: opacity .15s; }
.toast.shown { opacity: 1; }
.toast button { flex: none; border-color: currentColor; color: inherit; pointer-events: auto; }
@media (prefers-reduced-motion: reduce) { .toast { transition: none; } }

.tools { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .75rem 1.5rem; margin: 1.5rem 0 1.25rem; }
.tools input[type="search"] { flex: 1 1 9rem; min-width: 0; }
.tools [role="status"] { color: var(--soft); font-size: .9rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); gap: 1.25rem; }
.card { position: relative; display: flex; flex-direction: column; background: var(--card); border: 1px solid var(--line); border-radius: 8px; overflow: hidden; content-visibility: auto; contain-intrinsic-size: auto 20rem; }
.card:hover { border-color: var(--field); }
.card .pair { flex: none; }
.card .ground { min-height: 6.5rem; padding: 1rem; }
.strip { display: block; width: 100%; height: calc(1rem + 2px); border: solid var(--line); border-width: 1px 0; forced-color-adjust: none; }
.card-banners { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 1px; background: var(--line); border-bottom: 1px solid var(--line); }
.card-banners img { width: 100%; height: auto; aspect-ratio: 2 / 1; object-fit: cover; background: var(--inset); }
.card .missing { font-size: .6875rem; }
.card > .missing { margin: .5rem 1rem; }
.card-banners .missing { background: var(--card); border-radius: 0; }
.card h2 { margin: .9rem 1rem .4rem; font-size: 1.1rem; overflow-wrap: anywhere; }
.card h2 a { color: inherit; text-decoration: none; }
.card h2 a:hover { text-decoration: underline; }
/* The whole card leads to its theme; other links lie above. */
.card h2 a::after { content: ""; position: absolute; inset: 0; border-radius: 8px; }
.card h2 a:focus-visible { outline: none; }
.card h2 a:focus-visible::after { outline: 3px solid var(--link); outline-offset: -3px; }
.card p { padding: 0 1rem; }
.card p a { position: relative; }
.card code { overflow-wrap: anywhere; }
.card .users { flex: 1; margin: .5rem 0; color: var(--soft); font-size: .875rem; }
.cards.compact { grid-template-columns: repeat(auto-fill, minmax(min(100%, 11rem), 1fr)); gap: .75rem; }
.compact .card-banners, .compact .users { display: none; }
.compact .card { padding-bottom: .75rem; }
.compact .card .ground { min-height: 4rem; padding: .5rem; }
.badge.change { background: var(--change); color: var(--text); font-weight: 600; }

.reasons { margin: .75rem 0; font-size: .9rem; }
.reasons div { display: grid; grid-template-columns: 8.5rem minmax(0, 1fr); padding: .35rem 0; border-top: 1px solid var(--line); }
.reasons dt { color: var(--soft); }
.reasons dd { grid-column: 2; overflow-wrap: anywhere; }
#result { overflow-wrap: anywhere; }

.split { display: grid; grid-template-columns: minmax(0, 1fr) 27rem; gap: 1.5rem; align-items: start; margin-top: 1rem; }
.stage { position: sticky; top: 1rem; }
.stage .about { margin-top: .75rem; font-size: .8125rem; }
.stage .screens { grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 1rem; margin-top: .75rem; }
.stage figcaption span { display: none; }
.stage .wide .screen { min-width: 0; }
.tabs { display: flex; gap: .4rem; margin: 0; padding: 0; border: 0; }
.tabs label { padding: .35rem .9rem; border: 1px solid var(--field); border-radius: 6px; background: var(--card); cursor: pointer; font-weight: 400; }
.tabs input { position: absolute; opacity: 0; }
.tabs label:has(:checked) { border-color: var(--link); color: var(--link); font-weight: 600; }
.tabs label:has(:focus-visible), .img label:has(:focus-visible) { outline: 3px solid var(--link); outline-offset: 2px; }
.stage:has(#tab-wide:checked, #tab-before:checked) .phone, .stage:has(#tab-phone:checked) .wide { display: none; }
.stage:not(:has(#tab-before:checked)) #before { display: none; }
.stage #before h3 { margin: 1rem 0 .4rem; font-size: 1rem; }
.stage #before ul { padding-left: 1.25rem; }
.stage #before li { overflow-wrap: anywhere; }
.before .about { display: none; }
.dot { width: .9em; height: .9em; border: 1px solid var(--field); border-radius: 3px; vertical-align: -.1em; forced-color-adjust: none; }
.cards-column > .panel { margin-bottom: 1rem; padding: 1rem 1.15rem; }
.cards-column h2 { margin: 0 0 .5rem; font-size: 1rem; }
.cards-column small, .new small { color: var(--soft); font-weight: 400; font-size: .75rem; }
.img { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr) auto; gap: .75rem; align-items: center; padding: .6rem 0; border-top: 1px solid var(--line); font-size: .875rem; }
h2 + .img { border-top: 0; }
.img > span > small:not(:first-of-type), .img .note, .img .error, .f .note, .f .error { display: block; }
.img.drop { outline: 2px dashed var(--link); outline-offset: 2px; border-radius: 8px; }
.sw { display: grid; grid-template-columns: 1fr 1fr; height: 3.25rem; border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
.sw.wide { grid-template-columns: 1fr; }
.sw i { display: grid; place-items: center; min-width: 0; background: ${BACKGROUNDS.light}; }
.sw i.dark { background: ${BACKGROUNDS.dark}; }
.sw img { max-width: 2.9rem; width: auto; height: auto; max-height: 2.25rem; object-fit: contain; }
.sw.wide img { width: 100%; height: 3.25rem; max-width: none; max-height: none; object-fit: cover; }
.acts { display: grid; gap: .3rem; }
.acts .button, .acts button, .cells + * + .row button { padding: .25rem .7rem; font-size: .8125rem; text-align: center; }
.f { display: grid; grid-template-columns: minmax(0, 1fr) 11rem; gap: 0 .75rem; align-items: center; padding: .35rem 0; }
.f label { font-weight: 400; }
.f .note, .f .error { grid-column: 1 / -1; }
.f input, .f select { width: 100%; }
.cells { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: .75rem .6rem; margin: .5rem 0 .75rem; }
.cell { display: grid; gap: .2rem; }
.cell input[type="color"] { width: 100%; height: 2.5rem; }
.cell input[type="text"] { min-width: 0; padding: .25rem .4rem; font-size: .75rem; }
.new { display: grid; gap: 1rem; }
.new .field label { display: flex; flex-wrap: wrap; gap: 0 .5rem; align-items: baseline; }
.row > #undo-part, .row > #undo-part form { display: inline-block; }
.menu-more { position: relative; }
.menu-more summary, details.panel summary { font-weight: 600; }
.menu-more .panel { position: absolute; z-index: 2; display: grid; gap: 1rem; width: min(22rem, 90vw); margin-top: .4rem; }
#diagnostics-part > details { margin-top: 1rem; }
@media (max-width: 62rem) { .split { grid-template-columns: minmax(0, 1fr); } .stage { position: static; } .split > .new { order: -1; } }
@media (max-width: 40rem) {
  .dev { padding: 0 1rem; }
  .problems, .studio .problems { width: calc(100% - 2rem); }
  .panel { padding: 1rem; }
  .reasons div { grid-template-columns: minmax(0, 1fr); }
  .reasons dd { grid-column: 1; }
  .menu-more { position: static; }
  .menu-more .panel { left: 1rem; right: 1rem; width: auto; }
}
@media (max-width: 30rem) {
  .img { grid-template-columns: 5rem minmax(0, 1fr); }
  .acts { grid-column: 2; grid-auto-flow: column; justify-content: start; }
  .f { grid-template-columns: minmax(0, 1fr) 8rem; }
}
`;
