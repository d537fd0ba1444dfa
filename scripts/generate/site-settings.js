import { z } from 'zod';
import { siteSchema } from '../../lib/core/theme/site/site.js';
import { table } from './markdown.js';

/** @typedef {{ description?: string, default?: unknown, properties?: Record<string, Property> }} Property */

/** Lists the settings of `site.yaml`; settings of a group are on separate lines. */
export function siteTable() {
  const { properties = {} } = /** @type {Property} */ (
    z.toJSONSchema(siteSchema, { io: 'input', unrepresentable: 'any' })
  );
  return table(
    ['setting', 'default', 'meaning'],
    Object.entries(properties).flatMap(([name, setting]) =>
      setting.properties === undefined
        ? [row(name, setting)]
        : Object.entries(setting.properties).map(([part, inner]) => row(`${name}.${part}`, inner)),
    ),
  );
}

/**
 * @param {string} name
 * @param {Property} setting
 */
function row(name, { description = '', default: initial }) {
  return [`\`${name}\``, initial === undefined ? 'none' : `\`${flowStyle(initial)}\``, description];
}

/**
 * Returns a value in the flow style of YAML.
 *
 * @param {unknown} value
 * @returns {string}
 */
function flowStyle(value) {
  if (Array.isArray(value)) return `[${value.map(flowStyle).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([key, inner]) => `${key}: ${flowStyle(inner)}`)
      .join(', ')}}`;
  return typeof value === 'string' && /^[\d.]+$/.test(value) ? JSON.stringify(value) : String(value);
}
