import { z } from 'zod';

/**
 * The JSON schema that editors read.
 *
 * @param {z.ZodType} schema
 * @param {string} title
 */
export function jsonSchema(schema, title) {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`;
}
