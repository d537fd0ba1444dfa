import { BACKGROUNDS } from '../image/backgrounds.ts';

/**
 * The common start of all style sheets: colours, type, and the images and settings of a theme. The two backgrounds keep
 * their colours in either colour scheme. All that depends on a theme is written as attributes of images and swatches.
 */
export const BASE_STYLE = `
:root {
  color-scheme: light dark;
  --page: #f4f5f8; --card: #fff; --inset: #f8f9fb; --line: #d5d9e2; --text: #1b2130; --soft: #535d70;
  --link: #0b52b5; --key: #7a2e8f; --badge: #e4e8f0; --good: #d9efdf; --good-text: #0f4a26;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #10131a; --card: #181c25; --inset: #12161e; --line: #333b4a; --text: #e4e8f0; --soft: #a3adbf;
    --link: #8ab8ff; --key: #d9a3ec; --badge: #2a3140; --good: #1b4029; --good-text: #b7ecc8;
  }
}
*, ::before, ::after { box-sizing: border-box; }
html { scroll-padding-top: 1rem; text-size-adjust: 100%; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
header, main, footer { max-width: 72rem; margin: 0 auto; padding: 0 1.25rem; }
h1, h2, h3, h4, p, pre, dl, dd, ul, ol, figure { margin: 0; padding: 0; }
h1 { font-size: 1.9rem; line-height: 1.2; letter-spacing: -.01em; overflow-wrap: anywhere; }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 2.5rem 0 .75rem; }
h3 { font-size: 1.2rem; line-height: 1.3; overflow-wrap: anywhere; }
h4 { font-size: .95rem; margin: 1.75rem 0 .6rem; }
code, pre { font-family: var(--mono); font-size: .8125rem; }
a { color: var(--link); text-decoration: underline; text-underline-offset: .15em; }
code a, pre a { text-underline-offset: .3em; }
a:hover { text-decoration-thickness: .15em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 4px; }
img { display: block; max-width: 100%; object-fit: contain; font-size: .75rem; overflow-wrap: anywhere; }
summary { cursor: pointer; width: fit-content; padding: .25rem 0; }
footer { padding-top: 2.5rem; padding-bottom: 2.5rem; color: var(--soft); font-size: .875rem; overflow-wrap: anywhere; }

.trail { padding: 1rem 0; font-size: .9rem; overflow-wrap: anywhere; }
.trail ol { list-style: none; display: flex; flex-wrap: wrap; gap: .35rem .5rem; }
.trail li + li::before { content: "/"; margin-right: .5rem; color: var(--soft); }
.trail a[aria-current] { color: inherit; text-decoration: none; }
.about { margin-top: .4rem; color: var(--soft); max-width: 44rem; }
.badge { padding: .1rem .6rem; border: 1px solid transparent; border-radius: 1rem; background: var(--badge); font-size: .8125rem; white-space: nowrap; }
.default { background: var(--good); color: var(--good-text); font-weight: 600; }
.json { padding: .85rem 1rem; max-height: 30rem; overflow: auto; background: var(--inset); tab-size: 4; }
.json b { color: var(--key); font-weight: inherit; }
.json:focus-visible { outline-offset: -3px; }

.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 1rem; }
.figures figure { border: 1px solid var(--line); border-radius: 6px; overflow: hidden; display: flex; flex-direction: column; }
.figures figcaption { display: flex; flex-wrap: wrap; gap: .15rem 1.25rem; padding: .45rem .75rem; border-top: 1px solid var(--line); font-size: .8125rem; color: var(--soft); }
.figures figcaption code { flex: 1 0 auto; max-width: 100%; overflow-wrap: anywhere; color: var(--text); }
.pair { flex: 1; display: grid; grid-template-columns: 1fr 1fr; }
.ground { min-width: 0; min-height: 7.5rem; padding: 2rem 1rem; display: grid; grid-template-columns: minmax(0, 1fr); place-items: center; position: relative; forced-color-adjust: none; }
.ground.light { background: ${BACKGROUNDS.light}; color: #1b2130; }
.ground.dark { background: ${BACKGROUNDS.dark}; color: #e4e8f0; border-left: 1px solid var(--line); }
.used { position: absolute; inset: auto 0 0; padding: .1rem .5rem .3rem; font-size: .75rem; text-align: center; }
.used::before { content: "✓ " / ""; font-weight: 700; }
.banners { grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); }
.banners figcaption code { flex-basis: 100%; }
.banners img { width: 100%; height: auto; aspect-ratio: 3 / 2; background: var(--inset); }
figure > a:focus-visible { outline-offset: -3px; }

.palette { list-style: none; display: grid; grid-template-columns: repeat(auto-fill, minmax(6.6rem, 1fr)); gap: .75rem; }
.palette svg { display: block; width: 100%; height: 3.25rem; border: 1px solid var(--line); border-radius: 6px; forced-color-adjust: none; }
.palette code { display: block; margin-top: .25rem; font-size: .6875rem; white-space: nowrap; }

@media (max-width: 40rem) {
  h1 { font-size: 1.6rem; }
  header, main, footer { padding-left: 1rem; padding-right: 1rem; }
  .ground { padding: 1.75rem .75rem; }
  .palette { grid-template-columns: minmax(0, 1fr); gap: .4rem; }
  .palette li { display: flex; align-items: center; gap: .75rem; }
  .palette svg { height: 2rem; }
  .palette code { flex: none; width: 18ch; margin: 0; font-size: .75rem; }
}
@media (forced-colors: active) {
  .badge { border-color: currentColor; }
}
@media print {
  .json { max-height: none; white-space: pre-wrap; overflow-wrap: anywhere; }
  .ground, .palette svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
