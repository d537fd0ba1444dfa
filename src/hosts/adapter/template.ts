/** The templates of READMEs, scripts and configurations, by their paths below `src/hosts/`. */
export type Templates = ReadonlyMap<string, string>;

/** The values of a template: text for variables (`{{name}}`), booleans and lists for sections. */
export interface View {
  readonly [name: string]: string | boolean | readonly (string | View)[];
}

/** Matches a section on separate lines, a section within a line, or a variable. */
const TAG = /^\{\{([#^])(\w+)\}\}\n([^]*?)^\{\{\/\2\}\}\n|\{\{([#^])(\w+)\}\}([^]*?)\{\{\/\5\}\}|\{\{(\w+|\.)\}\}/gm;

/**
 * Fills a template in Mustache syntax (mustache(5)), without escaping. `{{name}}` inserts text. `{{#name}}…{{/name}}` is kept if the value
 * is true, or repeated for a list, with `{{.}}` as its text; `{{^name}}…{{/name}}` is the opposite. `has_name` tests for a non-empty text
 * or list. Values are not templates themselves.
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
    const within = (item: string | View): View =>
      Object.assign(Object.create(view), typeof item === 'string' ? { '.': item } : item);
    return views.map((item) => fill(body, within(item))).join('');
  });
}

export function fillFile(templates: Templates, path: string, view: View): string {
  const template = templates.get(path);
  if (template === undefined) throw new Error(`Bug: there is no template ${path}.`);
  return fill(template, view);
}

function valueOf(view: View, name: string): View[string] {
  const value = view[name];
  if (value !== undefined) return value;
  const tested = name.startsWith('has_') ? view[name.slice('has_'.length)] : undefined;
  if (tested === undefined || typeof tested === 'boolean')
    throw new Error(`Bug: the template has no value for ${name}.`);
  return tested.length > 0;
}
