import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { manifest } from '../src/document/manifest.ts';
import { partsOf } from '../src/document/output-file.ts';
import { MEDIA_TYPES, servedAs } from '../src/document/served-as.ts';
import { site } from './sample-records.ts';

const PATHS = [
  ...[...MEDIA_TYPES.keys()].map((extension) => `media/harbor/logo.0123456789abcdef.${extension}`),
  ...['index.json', 'browse.html', 'assets.json', '3/index.css', 'config/harbor.webmanifest', 'config/index.png'].map(
    (name) => `api/v2/theme/${name}`,
  ),
  'schema/openapi.json',
  '_headers',
];

it('rclone.sh serves every file as its path says', () => {
  const work = mkdtempSync(path.join(tmpdir(), 'themecast-rows-'));
  try {
    const files = PATHS.map((file) => ({ path: file, bytes: 1, sha256: 'ab'.repeat(32) }));
    writeFileSync(path.join(work, 'manifest.json'), [...partsOf(manifest(files, site()))].join(''));
    const script = readFileSync(path.join(import.meta.dirname, '../src/deploy/scripts/rclone.sh'), 'utf8');
    const [start, end] = [script.indexOf('printf \'%s\\n\' "$TYPES"'), script.indexOf("cut -d'|' -f3")];
    const rows = script.slice(start, script.indexOf('cut -d\'|\' -f3 "$work/rows" >', end));
    const types = [...MEDIA_TYPES].map(([extension, type]) => `${extension} ${type}`).join('\n');
    execFileSync('sh', ['-ec', `work=$1 dist=$1\n${rows}`, 'sh', work], { env: { ...process.env, TYPES: types } });
    expect(readFileSync(path.join(work, 'rows'), 'utf8').trimEnd().split('\n')).toEqual(
      PATHS.map((file) => `${servedAs(file).cacheClass}|${servedAs(file).mediaType}|${file}`),
    );
  } finally {
    rmSync(work, { recursive: true });
  }
});
