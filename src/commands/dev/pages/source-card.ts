import { type Markup, markup, prose } from '../../../core/document/page/html.ts';
import { themePath } from './layout.ts';

export interface BrokenSource {
  text: string;
  errors: readonly { line: number; text: string }[];
}

/** Returns a text field for a theme.yaml with syntax errors. */
export function sourceCard(slug: string, { text, errors }: BrokenSource, hash: string): Markup {
  const rows = errors.map(({ line, text: error }) => markup`<li><b>Line ${line}:</b> ${prose(error)}</li>\n`);
  return markup`<section class="panel" id="source-part" data-part aria-labelledby="source-title">
<h2 id="source-title">theme.yaml cannot be read</h2>
<ul class="errors">
${rows}</ul>
<form action="${themePath(slug)}source" data-send="Saved: theme.yaml">
<input type="hidden" name="hash" value="${hash}">
<textarea class="source" id="f-source" name="source" rows="${Math.min(text.split('\n').length + 1, 24)}" aria-label="theme.yaml" aria-describedby="error-source" spellcheck="false" autocomplete="off" wrap="off">
${text}</textarea>
<span class="error" id="error-source" data-error="source" aria-live="polite"></span>
<button>Save</button>
</form>
</section>
`;
}

/** A field that does not exist, and the one that it was probably meant to be, with its value. */
export interface UnknownField {
  name: string;
  error: string;
  renamed: { field: string; value: string } | undefined;
}

/** Lists unknown fields with their errors, each with buttons to rename and to delete it. */
export function unknownFields(slug: string, fields: readonly UnknownField[], hash: string): Markup {
  const form = (name: string, done: string, inputs: Markup | string, button: Markup) =>
    markup`<form action="${themePath(slug)}edit" data-send="${done}"><input type="hidden" name="hash" value="${hash}"><input type="hidden" name="${name}" value="">${inputs}${button}</form>\n`;
  const rows = fields.map(({ name, error, renamed }) => {
    const rename =
      renamed &&
      form(
        name,
        `Renamed: ${name} to ${renamed.field}`,
        markup`<input type="hidden" name="${renamed.field}" value="${renamed.value}">`,
        markup`<button>Rename to <code>${renamed.field}</code></button>`,
      );
    const remove = markup`<button class="quiet">Delete this field<span class="unseen">: ${name}</span></button>`;
    return markup`<li><code>${name}</code> <span class="error">${prose(error)}</span>\n${rename ?? ''}${form(name, `Deleted: ${name}`, '', remove)}</li>\n`;
  });
  return markup`<div id="unknown" data-part>${rows.length === 0 ? '' : markup`<section class="panel" aria-labelledby="unknown-title"><h2 id="unknown-title">Unknown fields</h2>\n<ul class="unknown">\n${rows}</ul></section>`}</div>
`;
}
