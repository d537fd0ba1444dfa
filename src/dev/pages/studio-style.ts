import { BACKGROUNDS } from '../../image/backgrounds.ts';

/** What the pages have that make and edit themes. */
export const STUDIO_STYLE = `
.studio header, .studio main, .studio footer { max-width: 104rem; }
.split { display: grid; grid-template-columns: minmax(0, 1fr) 27rem; gap: 1.5rem; align-items: start; margin-top: 1rem; }
.stage { position: sticky; top: 1rem; }
.tabs { display: flex; gap: .4rem; margin: 0; padding: 0; border: 0; }
.tabs label { padding: .35rem .9rem; border: 1px solid var(--field); border-radius: 6px; background: var(--card); cursor: pointer; font-weight: 400; }
.tabs input { position: absolute; opacity: 0; }
.tabs label:has(:checked) { border-color: var(--link); color: var(--link); font-weight: 600; }
.tabs label:has(:focus-visible), .img label:has(:focus-visible) { outline: 3px solid var(--link); outline-offset: 2px; }
.stage:has(#tab-wide:checked, #tab-before:checked) .phone, .stage:has(#tab-phone:checked) .wide { display: none; }
.stage #before { display: none; }
.stage:has(#tab-before:checked) #before { display: block; }
.stage #before h3 { margin: 1rem 0 .4rem; font-size: 1rem; }
.stage #before li { overflow-wrap: anywhere; }
.before .about { display: none; }
.dot { width: .9em; height: .9em; border: 1px solid var(--field); border-radius: 3px; vertical-align: -.1em; forced-color-adjust: none; }
.badge.change { background: var(--change); color: var(--text); font-weight: 600; }
.notice { margin-top: 1rem; padding: .6rem 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
.stage .about { margin-top: .75rem; font-size: .8125rem; }
.stage .screens { grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 1rem; margin-top: .75rem; }
.stage figcaption span { display: none; }
.stage .wide .screen { min-width: 0; }
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
.note { color: var(--warn-text); font-size: .8125rem; }
.f { display: grid; grid-template-columns: minmax(0, 1fr) 11rem; gap: 0 .75rem; align-items: center; padding: .35rem 0; }
.f label { font-weight: 400; }
.f label b { font-weight: 600; }
.f .note, .f .error { grid-column: 1 / -1; }
.f input, .f select { width: 100%; }
.cells { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: .75rem .6rem; margin: .5rem 0 .75rem; }
.cell { display: grid; gap: .2rem; }
.cell input[type="color"] { width: 100%; height: 2.5rem; }
.cell input[type="text"] { min-width: 0; padding: .25rem .4rem; font-size: .75rem; }
.new { display: grid; gap: 1rem; }
.new .field label { display: flex; flex-wrap: wrap; gap: 0 .5rem; align-items: baseline; }
.toast { position: fixed; left: 50%; bottom: 1.1rem; z-index: 3; translate: -50% 0; margin: 0; padding: .55rem 1rem; border-radius: 10px; background: var(--text); color: var(--page); opacity: 0; pointer-events: none; transition: opacity .15s; }
.toast.shown { opacity: 1; }
.row > #undo-part, .row > #undo-part form { display: inline-block; }
.menu-more { position: relative; }
.menu-more summary, details.panel summary { cursor: pointer; font-weight: 600; }
.menu-more .panel { position: absolute; z-index: 2; display: grid; gap: 1rem; width: min(22rem, 90vw); margin-top: .4rem; }
.danger { border-color: var(--bad-text) !important; color: var(--bad-text) !important; }
main > details.panel, #diagnostics-part > details { margin-top: 1rem; }
button:disabled { opacity: .5; cursor: default; text-decoration: none; }
.cards.compact { grid-template-columns: repeat(auto-fill, minmax(min(100%, 11rem), 1fr)); gap: .75rem; }
.compact .card-banners, .compact .links, .compact .users { display: none; }
.compact .card .ground { min-height: 4rem; padding: .5rem; }
@media (max-width: 62rem) { .split { grid-template-columns: minmax(0, 1fr); } .stage { position: static; } }
@media (max-width: 30rem) { .img { grid-template-columns: 5rem minmax(0, 1fr); } .acts { grid-column: 2; grid-auto-flow: column; justify-content: start; } .f { grid-template-columns: minmax(0, 1fr) 8rem; } }
@media (prefers-reduced-motion: reduce) { .toast { transition: none; } }
`;
