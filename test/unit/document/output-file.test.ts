import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { servedAs } from '../../../src/core/document/files/served-as.ts';
import { textFile } from '../../../src/core/document/files/output-file.ts';

describe('a file written from text', () => {
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
  const file = (write: () => Iterable<string>): ReturnType<typeof textFile> => textFile('a.json', write);

  it('has the total size and the hash of its parts', () => {
    const { bytes, sha256: hash, content } = file(() => ['[', '"é"', ']']);
    expect([bytes, hash, content]).toEqual([6, sha256('["é"]'), { text: '["é"]' }]);
  });
});

it.each([
  ['media/harbor/logo.0123456789abcdef.svg', 'image/svg+xml', 'immutable'],
  ['media/harbor/photo.0123456789abcdef.jpg', 'image/jpeg', 'immutable'],
  ['api/v2/theme/index.json', 'application/json', 'list'],
  ['api/v2/theme/browse.html', 'text/html; charset=utf-8', 'list'],
  ['api/v2/theme/assets.json', 'application/json', 'config'],
  ['api/v2/theme/config/harbor.css', 'text/css; charset=utf-8', 'config'],
  ['api/v2/theme/config/index.png', 'image/png', 'config'],
  ['api/v2/theme/config/harbor.webmanifest', 'application/manifest+json', 'config'],
  ['schema/openapi.json', 'application/json', 'list'],
  ['_headers', 'text/plain; charset=utf-8', 'list'],
])('how %s is served follows from its path', (path, mediaType, cacheClass) => {
  expect(servedAs(path)).toEqual({ mediaType, cacheClass });
});
