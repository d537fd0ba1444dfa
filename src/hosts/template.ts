/** The templates of READMEs, scripts and configurations, by their paths below `src/hosts/`. */
export type Templates = ReadonlyMap<string, string>;

/** The values of a template: texts for holes, whether sections are there, and what lists repeat them for. */
export interface View {
  readonly [name: string]: string | boolean | readonly (string | View)[];
}

/** A section on lines of its own, a section in a line, or a hole. */
const TAG = /^\{\{([#^])(\w+)\}\}\n([^]*?)^\{\{\/\2\}\}\n|\{\{([#^])(\w+)\}\}([^]*?)\{\{\/\5\}\}|\{\{(\w+|\.)\}\}/gm;

/**
 * Fills a template in the syntax of Mustache (mustache(5)), without escaping: `{{name}}`, `{{#name}}…{{/name}}` if it is true, or for each of a list
 * (`{{.}}` is a text of it), `{{^name}}…{{/name}}` otherwise. `has_name` is true of a text or list that is not empty. Values are not read as templates.
 * @throws Error for a name without a value
 */
export function fill(template: string, view: View): string {
  return template.replaceAll(TAG, (_, block, blockName, blockBody, inline, inlineName, inlineBody, hole) => {
    if (hole !== undefined) return valueOf(view, hole) as string;
    const [kind, name, body] = [block ?? inline, blockName ?? inlineName, blockBody ?? inlineBody];
    const value = valueOf(view, name);
    const views = Array.isArray(value) ? (value as readonly (string | View)[]) : value === true ? [{}] : [];
    if (kind === '^') return views.length === 0 ? fill(body, view) : '';
    // Lists may be long: the view is inherited, not copied.
    const within = (own: string | View): View =>
      Object.assign(Object.create(view), typeof own === 'string' ? { '.': own } : own);
    return views.map((own) => fill(body, within(own))).join('');
  });
}

/** Fills the template of a path. */
export function fillFile(templates: Templates, path: string, view: View): string {
  const template = templates.get(path);
  if (template === undefined) throw new Error(`Bug: there is no template ${path}.`);
  return fill(template, view);
}

function valueOf(view: View, name: string): View[string] {
  const value = view[name];
  if (value !== undefined) return value;
  const listed = name.startsWith('has_') ? view[name.slice('has_'.length)] : undefined;
  if (listed === undefined || typeof listed === 'boolean')
    throw new Error(`Bug: the template has no value for ${name}.`);
  return listed.length > 0;
}
