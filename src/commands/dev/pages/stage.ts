import { type Markup, markup } from '../../../core/document/page/html.ts';

/** The views of a theme, by parameter of the URL: the label, the default, and all values. */
const CHOICES = [
  ['mode', 'Colour mode', 'both', ['light', 'dark', 'both']],
  ['width', 'Screen', 'desktop', ['desktop', 'phone']],
] as const;

/** Returns the preview, fitted to the window, below the controls of the view. The form `view` keeps the view in the URL. */
export function stage(query: URLSearchParams, preview: Markup): Markup {
  const choices = CHOICES.map(([name, label, usual, values]) => {
    const chosen = values.find((value) => value === query.get(name)) ?? usual;
    const radios = values.map(
      (value) =>
        markup`<label><input type="radio" form="view" name="${name}" id="${name}-${value}" value="${value}"${value === chosen ? markup` checked` : ''}>${value.charAt(0).toUpperCase() + value.slice(1)}</label>`,
    );
    return markup`<fieldset class="segments ${name}"><legend class="unseen">${label}</legend>${radios}</fieldset>\n`;
  });
  return markup`<section class="stage" aria-label="Preview">
<div class="tools">
${choices}<noscript><button form="view">Apply</button></noscript></div>
<div class="views">
<div id="preview" data-part>${preview}</div>
</div>
</section>
`;
}
