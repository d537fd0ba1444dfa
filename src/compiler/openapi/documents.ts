import type { Document, Documents } from '../../core/document/documents.ts';
import { SCHEMAS } from '../../core/document/endpoint.ts';
import { textFile } from '../../core/document/output-file.ts';
import { configRecord, type ImageUrls, listRecord } from '../../core/document/record.ts';
import type { EdgeRules } from '../../hosts/contract.ts';
import type { Theme } from '../../core/theme/resolve.ts';
import type { Site } from '../../core/theme/site.ts';
import { type Examples, openApiDescription } from './description.ts';
import type { JsonSchema } from './record-schema.ts';
import { responseSchema } from './response-schema.ts';

/** Number of themes in the example of the list: the default theme and another one, however many there are. */
const EXAMPLE_THEMES = 2;

/** Returns the schemas of the responses; none if `site.yaml` disables them. */
export function schemaDocuments(
  themes: readonly { theme: Theme; urls: ImageUrls }[],
  site: Site,
  rules: EdgeRules,
): Documents[] {
  if (!site.schema) return [];
  const examples = examplesOf(themes);
  const files = [
    document(SCHEMAS.openapi, () => openApiDescription(rules, site, examples)),
    document(SCHEMAS.jsonSchema, () => responseSchema(rules.baseUrl, site)),
  ];
  return [{ name: 'schemas', inputs: [JSON.stringify([site, rules, examples])], files }];
}

function document(path: string, value: () => JsonSchema): Document {
  const relativePath = path.slice(1);
  const make = (): ReturnType<typeof textFile> => textFile(relativePath, `${JSON.stringify(value(), null, 2)}\n`);
  return { path: relativePath, make };
}

function examplesOf(themes: readonly { theme: Theme; urls: ImageUrls }[]): Examples {
  const defaultTheme = themes.find(({ theme }) => theme.is_default);
  const otherThemes = themes.filter((theme) => theme !== defaultTheme).slice(0, EXAMPLE_THEMES - 1);
  const list = [...(defaultTheme === undefined ? [] : [defaultTheme]), ...otherThemes]
    .map(({ theme, urls }) => listRecord(theme, urls))
    .toSorted((a, b) => a.id - b.id);
  return { list, config: defaultTheme && configRecord(listRecord(defaultTheme.theme, defaultTheme.urls)) };
}
