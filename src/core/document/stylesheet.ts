import type { Site } from '../theme/site/site.ts';
import { type Look, type Variable, variablesOf } from './variables.ts';

/**
 * Returns the theme as a stylesheet: custom properties on `:root`. Each logo is the variant for the mode: the mode of the system, unless
 * `data-color-scheme` on the root element overrides it. Paper is white, so print always gets the light mode.
 */
export function stylesheet(look: Look, site: Pick<Site, 'roles'>): string {
  const { both, light, dark } = variablesOf(look, site);
  return `:root {\n${lines(both)}${lines(light)}}
@media screen and (prefers-color-scheme: dark) {\n:root {\n${lines(dark)}}\n}
:root[data-color-scheme="light"] {\n${lines(light)}}
@media screen {\n:root[data-color-scheme="dark"] {\n${lines(dark)}}\n}
`;
}

/**
 * Returns the variables of a theme for the screens of the sample page, one for each mode; the Content-Security-Policy forbids style attributes.
 * @param around - a selector with a space, for the element around the screens
 */
export function screenStyle(look: Look, site: Pick<Site, 'roles'>, around = ''): string {
  const { both, light, dark } = variablesOf(look, site);
  const rule = (selector: string, list: readonly Variable[]): string => `${around}${selector} {\n${lines(list)}}\n`;
  return rule('.screen', both) + rule('.screen.light', light) + rule('.screen.dark', dark);
}

function lines(list: readonly Variable[]): string {
  return list.map(([name, value]) => `${name}: ${value};\n`).join('');
}
