import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../../src/source/yaml.ts';
import { findings } from '../collect.ts';

const GOLDEN = 'yaml-messages.txt';

/** Typical mistakes of people who do not know YAML, and of some who do, from the golden file. Add one there as a line of JSON. */
const TEXTS = [...readFileSync(path.join(import.meta.dirname, GOLDEN), 'utf8').matchAll(/^".*"$/gm)].map(
  ([line]) => JSON.parse(line) as string,
);

describe('parseYaml', () => {
  it('reports the problem, location and remedy of each text', async () => {
    expect(TEXTS.length).toBeGreaterThan(200);
    const reports = TEXTS.map((text) => {
      let data: unknown;
      const diagnostics = findings((report) => ({ data } = parseYaml('a.yaml', text, report) ?? { data: undefined }));
      const lines = diagnostics.map(({ code, message, hint, location: { start, end } }) => {
        const place = start && `${start.line}:${start.column} to ${end?.line}:${end?.column}`;
        return `    ${[code, place].filter(Boolean).join(' ')}\n        ${message}\n        ${hint}\n`;
      });
      return `${JSON.stringify(text)}\n  = ${data === undefined ? 'nothing' : JSON.stringify(data)}\n${lines.join('')}`;
    });
    await expect(reports.join('\n')).toMatchFileSnapshot(GOLDEN);
  });
});
