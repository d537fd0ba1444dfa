import { BACKGROUNDS } from '../image/backgrounds.ts';

/** Screens of the mock page, and what a theme lacks in its place. What depends on a theme are the variables of `themeStyle`; light and dark are the screen's, not the reader's. */
export const MOCK_STYLE = `
.lacks { display: flex; flex-wrap: wrap; gap: .5rem .75rem; margin-top: .75rem; }
.missing { display: flex; flex-direction: column; gap: .1rem; min-width: 0; padding: .4rem .6rem; border: 2px dashed currentColor; border-radius: 6px; font-size: .75rem; line-height: 1.35; font-weight: 400; text-align: left; overflow-wrap: anywhere; }
.missing code { font-size: inherit; font-weight: 700; }
.missing > span > code { font-weight: 400; }
.profile > .missing { min-height: 6rem; margin: 0 0 1rem; justify-content: center; border-radius: 0; }
.tile > .missing { min-height: 5rem; justify-content: center; border-radius: 0; }
.screens { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 34rem), 1fr)); gap: 1.5rem 1.25rem; margin-top: 1.25rem; align-items: start; }
.screens figure { min-width: 0; }
.screens .phone { max-width: 390px; }
.screens figcaption { margin-bottom: .5rem; font-size: .8125rem; color: var(--soft); overflow-wrap: anywhere; }
.screens figcaption b { display: block; color: var(--text); font-size: .9375rem; }
.screens figcaption span { display: block; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 10px; }
.screen { container-type: inline-size; font-size: .875rem; line-height: 1.4; forced-color-adjust: none; }
.wide .screen { min-width: 33rem; }
.screen.light { --ground: ${BACKGROUNDS.light}; --raised: #f3f5f8; --edge: #d5d9e2; --ink: #1b2130; --faint: #535d70; }
.screen.dark { --ground: ${BACKGROUNDS.dark}; --raised: #202632; --edge: #3a4252; --ink: #e4e8f0; --faint: #a9b2c2; }
.screen { background: var(--ground); color: var(--ink); color-scheme: only light; }
.screen small { color: var(--faint); font-size: .8125rem; }
.screen img { max-width: 100%; color: var(--ink); }
.top { padding: .75rem 1rem; display: flex; gap: .75rem; }
.phone .top { align-items: center; border-bottom: 1px solid var(--edge); }
.align-left { justify-content: flex-start; }
.align-center { justify-content: center; }
.align-right { justify-content: flex-end; }
.logo { height: var(--logo-height); margin: var(--logo-margin-top) 0 0 var(--logo-margin-left); }
.compact-logo { width: var(--compact-logo-size); height: var(--compact-logo-size); flex: none; }
.menu { display: flex; align-items: center; gap: clamp(.5rem, 2cqi, 1.25rem); padding: .5rem 1rem; border-top: 1px solid var(--edge); border-bottom: 1px solid var(--edge); }
.menu span:not(.pill) { min-width: 0; overflow: hidden; white-space: nowrap; }
.menu b { text-decoration: underline; text-decoration-thickness: 2px; text-underline-offset: .45em; }
.top .pill, .menu .pill, .who .pill { margin-left: auto; }
.pill, .chip, .avatar { border: 1px solid var(--edge); white-space: nowrap; }
.pill { padding: .3rem .9rem; border-radius: 6px; font-weight: 600; }
.chip { padding: .1rem .65rem; border-radius: 1rem; font-size: .8125rem; }
.chips { display: flex; flex-wrap: wrap; gap: .35rem; margin-top: .5rem; }
.avatar { width: 3.5rem; height: 3.5rem; flex: none; margin-top: -2rem; border: 3px solid var(--ground); border-radius: 50%; display: grid; place-items: center; font-weight: 600; }
.banner { width: 100%; height: auto; object-fit: cover; background: var(--raised); }
.profile .banner { aspect-ratio: 4 / 1; }
.tile .banner { aspect-ratio: 5 / 2; }
.who { display: flex; align-items: center; gap: .75rem; padding: .6rem 1rem .9rem; }
.tiles { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; padding: 0 1rem 1rem; }
.tile { background: var(--raised); border: 1px solid var(--edge); border-radius: 8px; overflow: hidden; padding-bottom: .75rem; }
.tile p { padding: .5rem .75rem 0; margin: 0; }
@container (max-width: 28rem) {
  .profile .banner { aspect-ratio: 5 / 2; }
  .tiles { grid-template-columns: 1fr; }
}
${Array.from({ length: 9 }, (_, index) => `.c${index + 1} { background: var(--c${index + 1}, var(--raised)); color: var(--on-c${index + 1}, var(--ink)); }`).join('\n')}
`;
