import { suggest, suggestByWords } from '../../../core/diagnostics/suggest.ts';
import { type Markup, markup, prose } from '../../../core/document/page/html.ts';
import { LABELS } from '../../../core/theme/fields/fields.ts';
import type { EditorContent } from './editor-content.ts';
import { themePath } from './layout.ts';

/** Lists unknown fields with their errors, each with buttons to rename it to the field that was probably meant, and to delete it. */
export function unknownFields(slug: string, { data = {}, messages, hash }: EditorContent): Markup {
  const names = Object.keys(data).filter((name) => !Object.hasOwn(LABELS, name) && name !== 'accept');
  const absent = Object.keys(LABELS).filter((name) => !Object.hasOwn(data, name));
  const form = (name: string, done: string, inputs: Markup | string, button: Markup) =>
    markup`<form action="${themePath(slug)}edit" data-send="${done}"><input type="hidden" name="hash" value="${hash}"><input type="hidden" name="${name}" value="">${inputs}${button}</form>\n`;
  const rows = names.map((name) => {
    const value = data[name];
    const meant = typeof value === 'object' ? undefined : (suggest(name, absent) ?? suggestByWords(name, absent));
    const error = (messages.get(name) ?? []).map(({ text }) => text).join(' ');
    const rename =
      meant &&
      form(
        name,
        `Renamed: ${name} to ${meant}`,
        markup`<input type="hidden" name="${meant}" value="${String(value)}">`,
        markup`<button>Rename to <code>${meant}</code></button>`,
      );
    const remove = markup`<button class="quiet">Delete this field<span class="unseen">: ${name}</span></button>`;
    return markup`<li><code>${name}</code> <span class="error">${prose(error)}</span>\n${rename ?? ''}${form(name, `Deleted: ${name}`, '', remove)}</li>\n`;
  });
  return markup`<div id="unknown" data-part>${rows.length === 0 ? '' : markup`<section class="panel" aria-labelledby="unknown-title"><h2 id="unknown-title">Unknown fields</h2>\n<ul class="unknown">\n${rows}</ul></section>`}</div>
`;
}
