/** Forms, of the gallery and of the section POST of the browsable page: labels above their fields, errors below. */
export const FORM_STYLE = `
button, .button, input, textarea, select { font: inherit; border-radius: 6px; border: 1px solid var(--field); }
button, .button { display: inline-block; padding: .4rem 1rem; border-color: var(--link); background: var(--link); color: var(--on-link); font-weight: 600; text-decoration: none; cursor: pointer; }
button.quiet, .button.quiet { background: transparent; color: var(--link); }
button:hover, .button:hover { text-decoration: underline; }
input, textarea, select { max-width: 100%; padding: .4rem .7rem; background: var(--card); color: var(--text); }
input[type="checkbox"], input[type="radio"] { width: 1.15rem; height: 1.15rem; margin: 0; padding: 0; accent-color: var(--link); vertical-align: -.2em; }
input[type="file"] { padding: .25rem; }
input::file-selector-button { margin-right: .6rem; padding: .15rem .7rem; font: inherit; font-size: .9rem; background: var(--badge); color: var(--text); border: 1px solid var(--field); border-radius: 4px; cursor: pointer; }
.colour { display: flex; gap: .4rem; }
.colour input[type="text"] { flex: 1; min-width: 0; }
.colour .none { opacity: .25; }
input[type="color"] { width: 3rem; height: auto; padding: .2rem; flex: none; }
textarea { display: block; width: 100%; min-height: 16rem; font: .8125rem/1.5 var(--mono); }
[aria-invalid="true"] { border-color: var(--bad-text); border-width: 2px; }
label, legend { font-weight: 600; font-size: .9rem; }
fieldset { min-width: 0; margin: 0 0 1.25rem; padding: 1rem 1.25rem 1.25rem; border: 1px solid var(--line); border-radius: 8px; }
fieldset.fields, .fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); gap: 1rem 1.25rem; }
.field { min-width: 0; display: flex; flex-direction: column; align-items: stretch; gap: .25rem; }
.help { color: var(--soft); font-size: .8125rem; overflow-wrap: anywhere; }
form > .help, fieldset > .help { margin-bottom: .75rem; }
fieldset > .error { margin-bottom: 1rem; }
.error { color: var(--bad-text); font-size: .875rem; font-weight: 600; overflow-wrap: anywhere; }
.panel { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 1.25rem; }
@media (max-width: 40rem) {
  .panel { padding: 1rem; }
}
`;
