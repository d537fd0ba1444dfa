import { z } from 'zod';
import { siteSchema } from '../../lib/theme/site.js';
import { table } from './markdown.js';

/** The settings of `site.yaml`. */
export function siteTable() {
  return table(
    ['setting', 'default', 'meaning'],
    Object.entries(siteSchema.shape).map(([field, schema]) => {
      const [meaning = '', otherwise = 'required'] = describe(schema).split(' Default: ');
      return [`\`${field}\``, otherwise.replace(/\.$/, ''), meaning];
    }),
  );
}

/**
 * @param {z.ZodType} schema
 * @returns {string}
 */
function describe(schema) {
  const { innerType } = /** @type {{ innerType?: z.ZodType }} */ (schema.def);
  return z.globalRegistry.get(schema)?.description ?? (innerType === undefined ? '' : describe(innerType));
}
