import type { EdgeRules } from '../../../mapping/edge-rules.ts';
import type { Mapping } from '../../../mapping/mapping.ts';
import type { IdentityRule } from '../../../theme/identity.ts';
import { literal } from './text.ts';

/** Greatest number of items of a table or an edge dictionary ("Network services resource limits"). */
export const TABLE_ITEMS = 1000;

/** Name of the table in which the keys of a kind are looked up. */
export function tableName(names: IdentityRule['names']): string {
  return `themecast_${names}s`;
}

/** The items of each table that the rules ask, by kind. */
export function tables({ identity, themes }: EdgeRules, mapping: Mapping) {
  const kinds = [...new Set(identity.map(({ names }) => names))];
  return kinds.map((kind) => ({
    kind,
    items: kind === 'theme' ? themes.map((slug) => [slug, slug] as const) : [...mapping.pairs(kind)],
  }));
}

/** `tables.vcl`: which key gets which theme. */
export function tablesVcl(rules: EdgeRules, mapping: Mapping): string {
  const declarations = tables(rules, mapping).map(
    ({ kind, items }) => `
table ${tableName(kind)} {
${items.map(([key, theme]) => `  ${literal(key)}: ${literal(theme)},\n`).join('')}}
`,
  );
  return `# themecast: keys and their themes, for theme-service.vcl. Personal data: keep it out of every published folder.
# Slugs come from here alone: nothing that a request says becomes part of a path.
${declarations.join('')}`;
}
