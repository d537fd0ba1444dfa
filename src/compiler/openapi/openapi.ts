import { compact } from '../../core/diagnostics/compact.ts';
import type { Document, Documents } from '../../core/document/documents.ts';
import { ASSETS, CONFIG, LIST, SCHEMAS, THEME } from '../../core/document/endpoint.ts';
import { textFile } from '../../core/document/files/output-file.ts';
import { configRecord, type ImageUrls, listRecord, type ThemeRecord } from '../../core/document/record.ts';
import type { EdgeEndpoint } from '../../core/edge-runtime/rules.ts';
import type { Theme } from '../../core/theme/resolve.ts';
import type { Site } from '../../core/theme/site/site.ts';
import type { EdgeRules } from '../../hosts/contract/contract.ts';
import {
  IMAGE_SET,
  type JsonSchema,
  type KnownValues,
  object,
  openEnum,
  recordSchema,
  responseSchema,
} from './schemas.ts';

/** Themes of the site that serve as examples. */
export interface Examples {
  /** A few themes, as in the list. */
  list: readonly ThemeRecord[];
  /** The default theme, as in the config document. */
  config: ThemeRecord | undefined;
}

/** Returns the schemas of the responses; none if `site.yaml` disables them. */
export function schemaDocuments(
  themes: readonly { theme: Theme; urls: ImageUrls }[],
  site: Site,
  rules: EdgeRules,
): Documents[] {
  if (!site.schema) return [];
  const examples = examplesOf(themes);
  const document = (path: string, value: () => JsonSchema): Document => ({
    path: path.slice(1),
    make: () => textFile(path.slice(1), `${JSON.stringify(value(), null, 2)}\n`),
  });
  const files = [
    document(SCHEMAS.openapi, () => openApiDescription(rules, site, examples)),
    document(SCHEMAS.jsonSchema, () => responseSchema(rules.baseUrl, site)),
  ];
  return [{ name: 'schemas', inputs: [JSON.stringify([site, rules, examples])], files }];
}

/** Returns the default theme and another one, however many there are. */
function examplesOf(themes: readonly { theme: Theme; urls: ImageUrls }[]): Examples {
  const defaultTheme = themes.find(({ theme }) => theme.is_default);
  const other = themes.find((theme) => theme !== defaultTheme);
  const list = compact([defaultTheme, other]).map(({ theme, urls }) => listRecord(theme, urls));
  return {
    list: list.toSorted((a, b) => a.id - b.id),
    config: defaultTheme && configRecord(listRecord(defaultTheme.theme, defaultTheme.urls)),
  };
}

/**
 * Describes what clients call in OpenAPI 3.1 (`schema/openapi.json`): GET of the endpoints and of `assets.json`, from the rules of the hosts and
 * the table of fields.
 */
export function openApiDescription(rules: EdgeRules, values: KnownValues, examples: Examples): JsonSchema {
  const { list, config, theme } = rules.endpoints;
  const hasAssets = rules.records.some(({ file }) => file === ASSETS);
  return {
    openapi: '3.1.0',
    info: {
      title: `Theme service of ${new URL(rules.baseUrl).host}`,
      version: '2',
      description: `The visual branding of a community site. The responses are described by ${rules.baseUrl}${SCHEMAS.jsonSchema} too. New fields and values may be added at any time; anything else would be a new version, with another path. The licence is that of this description, not of the images.`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: serversOf(rules),
    security: [],
    // No `description` of a path: generators name a method after it.
    paths: {
      [LIST.path]: { get: endpointOperation(rules, list, examples) },
      [CONFIG.path]: { get: endpointOperation(rules, config, examples) },
      [THEME.path.replace('*', '{id}')]: { get: themeOperation(rules, theme, examples) },
      ...(hasAssets && { [ASSETS]: { get: ASSETS_OPERATION } }),
    },
    components: {
      schemas: {
        Theme: recordSchema({
          image_set: reference('ImageSet'),
          logo_types: reference('LogoType'),
          logo_alignments: reference('LogoAlignment'),
        }),
        ThemeList: { type: 'array', description: 'All themes, ascending by id.', items: reference('Theme') },
        ImageSet: IMAGE_SET,
        LogoType: openEnum('logo_types', values),
        LogoAlignment: openEnum('logo_alignments', values),
        ...(hasAssets && ASSETS_SCHEMAS),
        ErrorResponse: object('What is wrong with the request.', { detail: { type: 'string' } }),
      },
      ...(readsAuthorization(rules) && {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'Identifies the user. Without it, or if it is invalid, the response is the default theme.',
          },
        },
      }),
    },
  };
}

function endpointOperation(rules: EdgeRules, { kind, renderings }: EdgeEndpoint, examples: Examples): JsonSchema {
  const isConfig = kind === 'config';
  const meanings = renderings.map(({ format, mediaType }) => `\`${format}\` for \`${mediaType}\``).join(', ');
  return {
    operationId: isConfig ? 'getConfig' : 'getThemes',
    summary: (isConfig ? CONFIG : LIST).description,
    description: `The rendering is chosen by \`format\`, then by \`Accept\`: the most precise entry wins, ties go to JSON, and \`q\` is ignored. The path ends with a slash; without it, the response is a redirect (301).${isConfig ? identityNote(rules) : ''}`,
    ...(isConfig && readsAuthorization(rules) && { security: [{}, { bearer: [] }] }),
    parameters: [formatParameter(renderings, `The rendering: ${meanings}. If it is empty, \`Accept\` decides.`)],
    responses: {
      200: json(
        'The document, or another rendering if `format` or `Accept` asks for it.',
        isConfig ? 'Theme' : 'ThemeList',
        isConfig ? examples.config : examples.list,
      ),
      304: NOT_MODIFIED,
      404: errorResponse('The value of `format` is unknown.', rules.refusals.notFound),
      406: errorResponse('No rendering is acceptable.', rules.refusals.notAcceptable),
    },
  };
}

function themeOperation(
  { refusals }: EdgeRules,
  { renderings }: EdgeEndpoint,
  { list: [example] }: Examples,
): JsonSchema {
  return {
    operationId: 'getTheme',
    summary: THEME.description,
    description:
      'Public and the same for everyone; `Accept` does not matter. The path ends with a slash; without it, the response is a redirect (301).',
    parameters: [
      { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
      formatParameter(renderings, 'The rendering.'),
    ],
    responses: {
      200: json('The record of the list, or another rendering if `format` asks for it.', 'Theme', example),
      304: NOT_MODIFIED,
      404: errorResponse('There is no such theme, or the value of `format` is unknown.', refusals.notFound),
    },
  };
}

function formatParameter(renderings: EdgeEndpoint['renderings'], description: string): JsonSchema {
  const formats = renderings.map(({ format }) => format);
  const schema = { type: 'string', enum: [...formats, ''] };
  return { name: 'format', in: 'query', description, allowEmptyValue: true, schema };
}

const NOT_MODIFIED = {
  description: 'The document of `If-None-Match` is current. Only from servers that send an ETag.',
};

function json(description: string, schema: string, example?: unknown): JsonSchema {
  return {
    description,
    content: { 'application/json': { schema: reference(schema), ...(example !== undefined && { example }) } },
  };
}

function errorResponse(description: string, body: string): JsonSchema {
  return json(description, 'ErrorResponse', JSON.parse(body));
}

function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

const ASSETS_OPERATION = {
  operationId: 'getAssets',
  summary: 'Bitmaps of logos, icons and colours of every theme.',
  responses: { 200: json('Every theme by its id.', 'Assets') },
};

const references = (schema: string, ...names: string[]): Record<string, JsonSchema> =>
  Object.fromEntries(names.map((name) => [name, reference(schema)]));
const LOGOS = ['logo', 'logo_inverse', 'compact_logo', 'compact_logo_inverse'];
const PIXELS = { type: 'integer', minimum: 1 };

const ASSETS_SCHEMAS = {
  Assets: { type: 'object', description: 'Every theme by its id.', additionalProperties: reference('ThemeAssets') },
  ThemeAssets: object(
    'The images and colours of a theme for mails and apps. Images that the theme names by URL are absent.',
    {
      name: { type: 'string' },
      logos: object('Inside 600×200 pixels, compact logos inside 256×256.', references('Bitmap', ...LOGOS), LOGOS),
      icons: object(
        'Square: at most 192 pixels; for web apps 512, and 512 on a colour that masks may cut.',
        references('Bitmap', 'icon', 'large_icon', 'maskable_icon'),
        ['large_icon', 'maskable_icon'],
      ),
      modes: object('Which of the logos each mode shows.', references('ShownLogos', 'light', 'dark')),
      ...references('Palette', 'palette', 'palette_dark'),
      ...references('Roles', 'roles', 'roles_dark'),
    },
    ['palette_dark', 'roles_dark'],
  ),
  ShownLogos: object('The names of two of the logos.', {
    logo: { type: 'string', enum: LOGOS.slice(0, 2) },
    compact_logo: { type: 'string', enum: LOGOS.slice(2) },
  }),
  Roles: {
    type: 'object',
    description: 'Colours of the palette, by the names that the site has for them.',
    additionalProperties: reference('ThemeColour'),
  },
  Palette: { type: 'array', minItems: 9, maxItems: 9, items: reference('ThemeColour') },
  ThemeColour: object(
    'A colour, with the one of black and white that is readable on it.',
    references('ColourValue', 'colour', 'text'),
  ),
  ColourValue: object('A colour in the Design Tokens format 2025.10.', {
    colorSpace: { type: 'string', enum: ['srgb'] },
    components: { type: 'array', minItems: 3, maxItems: 3, items: { type: 'number', minimum: 0, maximum: 1 } },
    hex: { type: 'string', pattern: '^#[0-9a-f]{6}$' },
  }),
  Bitmap: object('A PNG, with its size in pixels.', {
    url: { type: 'string', format: 'uri' },
    width: PIXELS,
    height: PIXELS,
  }),
};

/** Explains how the requesting user is identified, without more detail than every response has in `Vary`. */
function identityNote({ endpoints: { list, config }, identity }: EdgeRules): string {
  const shared = list.vary.split(', ');
  const identityHeaders = config.vary.split(', ').filter((name) => !shared.includes(name));
  const notes = [
    identity.some(({ credential }) => credential.from === 'host') && 'The hostname of the request chooses the theme.',
    identityHeaders.length > 0 &&
      `The requesting user is identified by these request headers: ${identityHeaders.join(', ')}. Some may be accepted only from a proxy.`,
    identityHeaders.includes('Cookie') && 'The operator of the service knows the name of the cookie.',
  ];
  return compact(notes)
    .map((note) => ` ${note}`)
    .join('');
}

/** Whether the user may be identified by a bearer token, or by a login service that reads the header. */
function readsAuthorization({ endpoints: { config } }: EdgeRules): boolean {
  return config.vary.split(', ').includes('Authorization');
}

const MAX_SERVERS = 20;

/** Returns the base URL, and the first hostnames that choose a theme. */
function serversOf({ baseUrl, basePath, identity }: EdgeRules): { url: string; description?: string }[] {
  const names = identity.flatMap(({ credential }) =>
    credential.from === 'host' ? Object.keys(credential.themes ?? {}) : [],
  );
  const urls = new Set(names.map((name) => `https://${name}${basePath}`));
  urls.delete(baseUrl);
  return [
    { url: baseUrl },
    ...[...urls].slice(0, MAX_SERVERS).map((url) => ({ url, description: 'Its hostname chooses the theme.' })),
  ];
}
