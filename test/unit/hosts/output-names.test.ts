import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { publishedMark } from '../../../src/document/published-names.ts';
import { isEdgeName } from '../../../src/hosts/edge-names.ts';

/** Returns every file that a build writes with 36 settings of a site, on every host. */
const trees = path.join(import.meta.dirname, '../../golden/trees');
const names = new Set(
  readdirSync(trees).flatMap((file) =>
    readFileSync(path.join(trees, file), 'utf8')
      .split('\n')
      .flatMap((line) => / (?:alone\/\w+\/)?((?:dist|edge)\/\S+[^/])$/.exec(line)?.[1] ?? []),
  ),
);

test('the next build recognises the name of every file of a build', () => {
  const unrecognised = [...names].filter((name) => {
    const pathInEdge = name.slice(name.indexOf('/') + 1).replace('.HASH-', '.0123456789abcdef-');
    return name.startsWith('edge/') ? !isEdgeName(pathInEdge) : publishedMark(pathInEdge) === undefined;
  });
  expect(names.size).toBeGreaterThan(150);
  expect(unrecognised).toEqual([]);
});

test.each(['shards/pointer', 'shards/s-134-fc27f0c921a7', 'shards/i-5b9814f432bea1d1-3f'])(
  'edge/%s belongs to themecast',
  (name) => expect(isEdgeName(name)).toBe(true),
);

test.each([
  'nginx/TOKEN_SECRET.map',
  'nginx/local.conf',
  'cloudflare/.wrangler/state.json',
  'cloudflare/.dev.vars',
  'vercel/.vercel/project.json',
  'nginx/README.md/x',
  'README.md',
  'other/README.md',
])('edge/%s belongs to the operator', (name) => expect(isEdgeName(name)).toBe(false));
