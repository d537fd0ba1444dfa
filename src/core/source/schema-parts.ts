import type { z } from 'zod';
import type { Path } from './places.ts';

/** The parts of a schema that contain other schemas. */
interface SchemaParts {
  /** The schema inside an optional field, or inside a field with a default. */
  innerType?: z.ZodType;
  /** The schema of the input of a transformed field. */
  in?: z.ZodType;
  element?: z.ZodType;
  options?: z.ZodType[];
  shape?: z.ZodRawShape;
}

/** Returns the keys that an object may have at a path in a field. */
export function knownKeys(schema: z.ZodType, path: Path): string[] {
  const def = schema.def as SchemaParts;
  const inner = def.innerType ?? def.in;
  if (inner !== undefined) return knownKeys(inner, path);
  if (def.options !== undefined) return def.options.flatMap((option) => knownKeys(option, path));
  const [step, ...remaining] = path;
  if (def.element !== undefined) return knownKeys(def.element, remaining);
  if (def.shape === undefined) return [];
  return step === undefined ? Object.keys(def.shape) : knownKeys(def.shape[String(step)] as z.ZodType, remaining);
}

/** Checks whether a value could be an entry of the list that a schema describes. */
export function isEntryOf(schema: z.ZodType, value: unknown): boolean {
  const { innerType, element } = schema.def as SchemaParts;
  return innerType === undefined
    ? element?.def.type === 'enum' && element.safeParse(value).success
    : isEntryOf(innerType, value);
}
