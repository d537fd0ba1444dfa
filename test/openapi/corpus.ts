type Json = Record<string, unknown>;

/** A document, and whether the schema of its kind accepts it. */
export interface Sample {
  title: string;
  kind: 'record' | 'list' | 'config';
  document: unknown;
  isValid: boolean;
}

/** Values that every kind of field rejects. */
const INVALID_VALUES = [null, {}, [[]], 1.5];

/**
 * Returns documents of a build: unchanged, with changes that clients must tolerate, and with one fault each.
 * @param list - the published list, whose records have all fields
 */
export function corpus(list: readonly Json[]): Sample[] {
  const [first] = list;
  if (first === undefined) throw new Error('The build has no theme.');
  const config = { ...first, palette_preview: [] };
  const record = (title: string, changes: Json, isValid: boolean): Sample => ({
    title,
    kind: 'record',
    document: { ...first, ...changes },
    isValid,
  });
  const fields = Object.keys(first);
  const images = fields.filter((field) => typeof first[field] === 'object' && field !== 'palette_preview');
  const urls = fields.filter((field) => String(first[field]).startsWith('https:'));
  const pixels = fields.filter((field) => typeof first[field] === 'number' && field !== 'id');
  return [
    { title: 'a list', kind: 'list', document: list, isValid: true },
    { title: 'a config document', kind: 'config', document: config, isValid: true },
    { title: 'a record of the list as config document', kind: 'config', document: first, isValid: false },
    { title: 'a config document in the list', kind: 'list', document: [first, config], isValid: false },
    { title: 'a record in place of the list', kind: 'list', document: first, isValid: false },
    { title: 'a list in place of a record', kind: 'record', document: list, isValid: false },
    { title: 'an error', kind: 'config', document: { detail: 'Not found.' }, isValid: false },
    ...INVALID_VALUES.map((document): Sample => ({
      title: JSON.stringify(document),
      kind: 'record',
      document,
      isValid: false,
    })),
    record('a record', {}, true),
    record('an empty palette', { palette_preview: [] }, true),
    record('an unknown field', { accent: { hue: 7 }, $comment: null }, true),
    record('unknown values', { light_mode_logo_type: 'OUTLINE', logo_alignment: 'justify' }, true),
    record('names in all scripts', { name: '‮مرحبا 👩‍👩‍👧 x' }, true),
    record('a name of 100 characters outside the BMP', { name: '👍'.repeat(100) }, true),
    record('the largest id', { id: Number.MAX_SAFE_INTEGER }, true),
    record(
      'an unknown part of an image set',
      { [images[0] ?? '']: { ...(first[images[0] ?? ''] as Json), x: 1 } },
      true,
    ),
    record('no name', { name: '' }, false),
    record('a name of 101 characters', { name: 'x'.repeat(101) }, false),
    record('id 0', { id: 0 }, false),
    record('a text as id', { id: '1' }, false),
    record('a colour of CSS', { palette_preview: ['red'] }, false),
    record('a colour with spaces', { palette_preview: ['hsl(1, 2%, 3%)'] }, false),
    record('a hue of 360', { palette_preview: ['hsl(360,2%,3%)'] }, false),
    record('ten colours', { palette_preview: Array.from({ length: 10 }, () => 'hsl(1,2%,3%)') }, false),
    record('a text as boolean', { is_default: 'true' }, false),
    ...pixels.flatMap((field) => [
      record(`${field} as text`, { [field]: '40' }, false),
      record(`${field} below 0`, { [field]: -1 }, false),
      record(`${field} of a kilometre`, { [field]: 3_800_000 }, false),
    ]),
    ...urls.flatMap((field) => [
      record(`${field} as a path`, { [field]: '/media/x.png' }, false),
      record(`${field} as a script`, { [field]: 'javascript:alert(1)' }, false),
    ]),
    ...images.flatMap((field) => [
      record(`${field} as a URL`, { [field]: 'https://example.org/x.png' }, false),
      record(`${field} without a thumbnail`, { [field]: { original: 'https://example.org/x.png' } }, false),
      record(`${field} with a path`, { [field]: { original: 'x.png', thumbnail: 'x.png' } }, false),
    ]),
    ...fields.flatMap((field) => {
      const { [field]: _, ...rest } = first;
      const missing: Sample = { title: `no ${field}`, kind: 'record', document: rest, isValid: false };
      return [
        missing,
        ...INVALID_VALUES.map((value) => record(`${field}: ${JSON.stringify(value)}`, { [field]: value }, false)),
      ];
    }),
  ];
}
