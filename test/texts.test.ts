import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type Diagnostic, Diagnostics, type Report } from '../src/core/diagnostics/diagnostic.ts';
import { gitHost } from '../src/core/document/preview/git-host.ts';
import { checkSvg } from '../src/core/image/svg/check.ts';
import { planThemes } from '../src/commands/import/plan-themes.ts';
import { isLoopback, isOwnHost } from '../src/commands/dev/guard.ts';
import { readPayload } from '../src/commands/dev/edits/payload.ts';
import { tooFewPixels, tooManyBytes } from '../src/core/image/advice-size.ts';
import { forRenderer } from '../src/core/image/svg/for-renderer.ts';
import { editYaml } from '../src/core/source/edit-yaml.ts';
import { readList } from '../src/system/http/read-list.ts';
import { record } from './import/service.ts';
import { decodeText } from '../src/core/source/text.ts';
import { parseYaml } from '../src/core/source/yaml.ts';
import { normaliseColour } from '../src/core/theme/colour/colour.ts';
import { ANY_IMAGE_FIELDS } from '../src/core/theme/fields/fields.ts';
import { resolveThemes } from '../src/core/theme/resolve.ts';
import { SITE_DEFAULTS, validateSite } from '../src/core/theme/site/site.ts';
import { validateTheme } from '../src/core/theme/validate.ts';
import { read, source } from './unit/users.ts';

/*
 * Compares the values and diagnostics of texts that authors write. Each file of `texts/` is its own golden file: a line `> …` is a text, with the
 * escapes of JSON, and below it are its value and its diagnostics. To add a text, add its line and run this file with `--update`. A file
 * named `…-accepted.txt` contains only texts without a diagnostic, `…-refused.txt` only texts with an error: `--update` cannot change this.
 */
const FOLDER = path.join(import.meta.dirname, 'texts');

const NAMESPACES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const SVG = `${NAMESPACES} viewBox="0 0 24 24"`;
const SITE = { ...SITE_DEFAULTS, base_url: 'https://a.example', media_url: 'https://a.example/media' };
/** A theme with all required fields, each of which a text can replace. */
const THEME = `id: 1
name: Base
is_default: true
${ANY_IMAGE_FIELDS.map((field) => `${field}: a.svg\n`).join('')}
palette_preview: [red, lime, blue, yellow, aqua, black, white, gray, navy]`;

const SIZED = 'viewBox="0 0 10 10" width="10" height="10"';
const LIST_URL = 'https://old.example.org/api/v2/theme/';
/** The fields of a new theme, in their order. */
const FIELDS = ['extends', 'id', 'name', 'logo', 'logo_height', 'palette_preview'];

/** Functions that read a text and return its value, by kind: the first word of the file name. */
const READERS: Readonly<Record<string, (text: string, report: Report) => unknown>> = {
  remotes: gitHost,
  colours: (text) => Object.values(normaliseColour(text))[0],
  svg: (text, report) => void checkSvg('logo.svg', `<svg ${SVG}>\n${text}\n</svg>`, report),
  svgfile: (text, report) => void checkSvg('logo.svg', text.replace(/<svg(?![^>]* xmlns=)/, `<svg ${SVG}`), report),
  /** A file, or the content of one, as rewritten for the renderer. */
  drawn(text) {
    const file = text.includes('<svg') ? text : `<svg ${SIZED}>${text}</svg>`;
    return forRenderer(file.replace('<svg', `<svg ${NAMESPACES}`)).replace(` ${NAMESPACES}`, '');
  },
  async forms(text) {
    const payload = await readPayload(Buffer.from(text), 'application/x-www-form-urlencoded');
    return 'fields' in payload ? Object.fromEntries(payload.fields) : payload;
  },
  addresses(text) {
    const [host, port, address] = text.split(' ').map((word) => (word === '-' ? undefined : word));
    return port === undefined ? isLoopback(host) : isOwnHost(host, Number(port), address);
  },
  sizes(text) {
    const [field = '', width, height, bytes, isVector] = text.split(' ');
    const size = {
      path: 'a.png',
      width: Number(width),
      height: Number(height),
      bytes: Number(bytes),
      isVector: isVector !== undefined,
    };
    return { few: tooFewPixels(field as 'logo', size), many: tooManyBytes(field as 'logo', size) };
  },
  edits(text) {
    const [file, changes] = JSON.parse(text) as [string, Record<string, unknown>];
    return editYaml(file, new Map(Object.entries(changes)), FIELDS);
  },
  /** The changes of a record of another service. */
  records(text) {
    const base = JSON.parse(JSON.stringify(record(1)).replaceAll('URL/', 'https://old.example/')) as object;
    const { themes, unusable, newValues } = planThemes([{ ...base, ...(JSON.parse(text) as object) }], {
      slugs: new Map(),
      taken: new Set(),
      accepted: { logo_types: ['NORMAL', 'INVERSE'], logo_alignments: ['left', 'center'] },
      defaultId: undefined,
      imageBase: 'https://old.example/api/v2/theme/',
    });
    const [theme] = themes;
    if (theme === undefined) return { unusable, newValues };
    const { id, slug, name, refused, images, settings, asText } = theme;
    const changed = [...images, ...Object.entries(settings)].filter(([field]) => text.includes(`"${field}"`));
    return { unusable, newValues, id, slug, name, refused, ...Object.fromEntries(changed), asText: [...asText] };
  },
  /** The pages of a list by query, or what a service says beside a list of two themes. */
  lists(text) {
    const {
      pages,
      beside,
      headers = {},
    } = JSON.parse(text) as {
      pages?: Record<string, [unknown, string?]>;
      beside?: object;
      headers?: Record<string, string>;
    };
    const two = [{ id: 1 }, { id: 2 }];
    return readList(LIST_URL, async (url) => {
      const [body, link] = pages?.[url.slice(LIST_URL.length)] ?? [];
      const all = pages === undefined ? (beside === undefined ? two : { results: two, ...beside }) : body;
      if (all === undefined) return undefined;
      return { body: Buffer.from(JSON.stringify(all)), headers: link === undefined ? headers : { link } };
    });
  },
  yaml: (text, report) => parseFile(text, report)?.data,
  site(text, report) {
    const document = parseFile(text, report);
    const baseUrl = document && 'base_url' in document.data ? undefined : 'https://a.example';
    const site = document && validateSite(document, undefined, baseUrl, report);
    return site && Object.fromEntries(Object.entries(site).filter(([field]) => field in document.data));
  },
  theme(text, report) {
    const writtenFields = new Set(text.match(/^\w+(?=:)/gm));
    const defaults = THEME.split('\n').filter((line) => !writtenFields.has(line.split(':')[0] ?? ''));
    const document = parseFile(`${text}\n${defaults.join('\n')}\n`, report);
    const sources = document === undefined ? [] : [validateTheme('a', document, SITE, report)];
    const site = { ...SITE, allowed_hosts: ['cdn.example'] };
    const [theme] = resolveThemes(sources, new Set(['a']), site, report);
    const allValues: Record<string, unknown> = { ...theme, ...theme?.settings, ...theme?.images };
    const values = [...writtenFields].map((field): [string, unknown] => [field, omitLocation(allValues[field])]);
    return theme && Object.fromEntries(values);
  },
};

/** Parses a file as a build does. */
function parseFile(text: string, report: Report): ReturnType<typeof parseYaml> {
  const decoded = decodeText({ file: 'a.yaml', bytes: Buffer.from(text) }, report);
  return decoded === undefined ? undefined : parseYaml('a.yaml', decoded, report);
}

function omitLocation(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'location' in value ? { ...value, location: undefined } : value;
}

/** Returns the value of a text and its diagnostics. */
async function readText(kind: string, text: string): Promise<{ value: unknown; diagnostics: readonly Diagnostic[] }> {
  if (kind === 'users') {
    const { user, group, diagnostics } = await read([source('users.csv', text)]);
    return {
      value: { ...(user.length > 0 && { user }), ...(group.length > 0 && { group }) },
      diagnostics,
    };
  }
  const diagnostics = new Diagnostics();
  const value = await READERS[kind]?.(text, diagnostics.report);
  return { value, diagnostics: diagnostics.sorted };
}

function formatDiagnostic({ code, message, hint, location: { start, end } }: Diagnostic): string {
  const locationText = start && `${start.line}:${start.column} to ${end?.line}:${end?.column}`;
  return `    ${[code, locationText].filter(Boolean).join(' ')}\n        ${message}\n        ${hint ?? 'No hint.'}\n`;
}

it.each(readdirSync(FOLDER))(
  '%s: each text has its value, or its problem with a location and a remedy',
  async (name) => {
    const [kind = '', ...nameParts] = name.replace('.txt', '').split('-');
    const cases = [...readFileSync(path.join(FOLDER, name), 'utf8').matchAll(/^((?:# .*\n)*)> (.*)$/gm)];
    const reports: string[] = [];
    for (const [, title = '', line = ''] of cases) {
      const text = JSON.parse(`"${line.replaceAll('"', '\\"')}"`) as string;
      const { value, diagnostics } = await readText(kind, text);
      if (nameParts.includes('accepted')) expect(diagnostics, line).toEqual([]);
      if (nameParts.includes('refused'))
        expect(
          diagnostics.map(({ severity }) => severity),
          line,
        ).toContain('error');
      const valueLine = value === undefined || nameParts.includes('refused') ? '' : `  = ${JSON.stringify(value)}\n`;
      reports.push(`${title}> ${line}\n${valueLine}${diagnostics.map(formatDiagnostic).join('')}`);
    }
    expect(cases.length).toBeGreaterThan(0);
    await expect(reports.join('\n')).toMatchFileSnapshot(path.join(FOLDER, name));
  },
);
