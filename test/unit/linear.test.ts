import { expect, it } from 'vitest';
import { compareConfigs } from '../../src/commands/verify/old/records.ts';
import { parseRedirects, REDIRECTS_HEADER } from '../../src/hosts/redirects.ts';
import { inspectImage } from '../../src/core/image/inspect.ts';
import { parseYaml } from '../../src/core/source/yaml.ts';
import { normaliseColour } from '../../src/core/theme/colour.ts';
import { editTheme } from '../../src/core/theme/edit-theme.ts';
import { splitRow } from '../../src/core/users/csv.ts';
import { allRows } from '../../src/core/users/source-rows.ts';
import type { HttpResponse } from '../../src/system/http/exchange.ts';
import { typeOf } from '../../src/commands/verify/headers.ts';
import { teamPage } from '../../src/core/document/preview/team-page.ts';
import { theme } from '../sample-records.ts';
import { source } from './users.ts';

// The time to read an untrusted text must grow linearly with its length: a text may take about as long as 16 readings of a text of a
// sixteenth of its length. Comparing each character with every other would take 16 times as long.

const LENGTH = 4096;
const FACTOR = 16;
const MAX_RATIO = 8;
/** The minimum time in milliseconds. Shorter times depend more on the machine than on the text. */
const MIN_TIME_MS = 1;

const report = (): undefined => undefined;

const image = (body: string): unknown => {
  const bytes = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${body}</svg>`);
  const field = { field: 'logo', source: { path: 'a.svg', slug: 'a', location: { file: 'a' } } } as const;
  return inspectImage(bytes, 'a.svg', [field], report);
};
const yaml = (text: string): unknown => parseYaml('a.yaml', text, report);
const addNote = (text: string): unknown => editTheme(text, new Map(), new Set(['a']));
const users = async (text: string): Promise<void> => {
  for await (const _ of allRows([source('users.csv', text)], text.length, report));
};
const redirects = (row: string): unknown =>
  parseRedirects(
    'a.csv',
    `${REDIRECTS_HEADER}
${row}`,
    { rules: {}, themes: [], slugs: new Set() } as never,
    report,
  );
const configs = (text: string): unknown =>
  compareConfigs('users/same', 'x', { id: 1, logo: text }, { id: 1 }, new Map());
const team = (text: string): unknown => teamPage(text, { record: theme(1) }, { roles: {} }, 'dark');
const mediaType = (type: string): unknown => {
  const response = { headers: { 'content-type': type } } as unknown as HttpResponse;
  return typeOf(response);
};

it.each<[string, read: (text: string) => unknown, (fill: (piece: string) => string) => string]>([
  ['SVG: starts of comments in text', image, (fill) => `<desc><![CDATA[${fill('<!--')}]]></desc>`],
  ['SVG: starts of tags in text', image, (fill) => `<desc><![CDATA[${fill('<svg "')}]]></desc>`],
  ['SVG: comments', image, (fill) => fill('<!---->')],
  ['SVG: comments in a comment', image, (fill) => `<!--${fill('<!-')}-->`],
  ['SVG: attributes', image, (fill) => `<g ${fill(' class="a" ').replaceAll(/class/g, (_, at) => `data-${at}`)}/>`],
  ['SVG: digits of a length', image, (fill) => `<style>.a{width:${fill('1')}}</style>`],
  ['SVG: digits of a matrix', image, (fill) => `<style>.a{transform:matrix(${fill('1')})}</style>`],
  ['SVG: spaces in a selector', image, (fill) => `<style>a${fill(' ')}!{}</style>`],
  ['SVG: names in a selector', image, (fill) => `<style>${fill('a ')}!{}</style>`],
  ['SVG: media', image, (fill) => `<style>@media ${fill('screen and ')}{.a{}}</style>`],
  ['SVG: floods', image, (fill) => fill('<filter><feFlood flood-color="red"/></filter>')],
  ['SVG: filters', image, (fill) => fill('<g filter="url(#a)" id="a"/>')],
  ['SVG: spaces in a tag', image, (fill) => `<g${fill(' ')}/>`],
  ['SVG: spaces in a font', image, (fill) => `<style>@font-face{src:url(data:font/a;base64,${fill(' ')}!}</style>`],
  ['SVG: spaces without a declaration', image, (fill) => `<style>@font-face{${fill(' ')}!}</style>`],
  ['SVG: spaces in a declaration', image, (fill) => `<style>.a{b${fill(' ')}:c}</style>`],
  ['SVG: names of functions', image, (fill) => `<style>.a{fill:${fill('a-(')}}</style>`],
  ['SVG: comments of CSS', image, (fill) => `<style>${fill('/*')}</style>`],
  ['YAML: spaces in curly quotes', yaml, (fill) => `name: “a${fill(' ')}b`],
  ['YAML: colours in a comment', yaml, (fill) => `palette_preview: [ ${fill('#abcdef ')}`],
  ['YAML: colours behind a comment', yaml, (fill) => `palette_preview: [ # ${fill('#abcdef ')}`],
  ['YAML: a line without a colon', yaml, (fill) => `name: a\nlogo${fill(' ')}a\nb: c`],
  ['YAML: quotes', yaml, (fill) => `name: "a" ${fill('" ')}`],
  ['YAML: lines', yaml, (fill) => `${fill('\n')}a`],
  ['YAML: a tag', yaml, (fill) => `a: !${fill('&a')} b`],
  ['theme.yaml: spaces without a comment', addNote, (fill) => `a: b${fill(' ')}c\n`],
  ['colours', normaliseColour, (fill) => `rgb(${fill('1 ')}`],
  ['users.csv: commas in the first line', users, (fill) => `"user${fill(',')}",x`],
  ['users.csv: words in the first line', users, (fill) => `"${fill('user,')}",theme`],
  ['redirects.csv: quotes', redirects, (fill) => `"${fill('""')}x`],
  ['redirects.csv: a path', redirects, (fill) => `/${fill('a.')},a,b`],
  ['a list: colons in a URL', configs, (fill) => `http:${fill('//:')}`],
  ['a list: URLs', configs, (fill) => fill('"http://')],
  ['preview.html: tags', team, (fill) => fill('<link ')],
  ['preview.html: spaces in a question', team, (fill) => fill('( ')],
  ['a media type: spaces', mediaType, (fill) => `a${fill(' ')}b`],
])('%s', async (_, read, make) => {
  const [short, long] = [LENGTH, LENGTH * FACTOR].map((length) => make((piece) => piece.repeat(length / piece.length)));
  /** Measures processor time, because elapsed time depends on the load of the machine. */
  const timeOf = async (text = '', times = 1): Promise<number> => {
    const start = process.cpuUsage();
    for (let round = 0; round < times; round++) await read(text);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
  let shortest = [Infinity, Infinity];
  const ratio = (): number => shortest[1]! / Math.max(MIN_TIME_MS, shortest[0]!);
  // Repeats the measurement while the ratio is too high, because the machine may be busy.
  for (let run = 0; run < 9 && !(ratio() < MAX_RATIO); run++)
    shortest = [Math.min(shortest[0]!, await timeOf(short, FACTOR)), Math.min(shortest[1]!, await timeOf(long))];
  expect(ratio()).toBeLessThan(MAX_RATIO);
});

it('reads a row of megabytes', () => {
  expect(splitRow(`"${'a'.repeat(16_000_000)}",a`)?.map(({ text }) => text.length)).toEqual([16_000_000, 1]);
});
